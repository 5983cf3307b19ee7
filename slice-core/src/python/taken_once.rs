//! Defines pairs of types that hold a value. The first type dereferences to the second, so the compiler finds a method
//! of the first type before a method of the second type. The method that the compiler finds moves the value out. Also defines
//! methods with the same body.

/// Defines a pair of types: `$First`, which dereferences to `$Second`.
macro_rules! taken_once {
    ($(#[$of_first:meta])* $First:ident => $(#[$of_second:meta])* $Second:ident) => {
        $(#[$of_first])*
        #[derive(Debug)]
        pub struct $First<T>($Second<T>);

        $(#[$of_second])*
        #[derive(Debug)]
        pub struct $Second<T>(Option<T>);

        impl<T> $First<T> {
            #[inline]
            pub(super) const fn new(value: T) -> Self {
                $First($Second(Some(value)))
            }
        }

        impl<T> $Second<T> {
            #[inline]
            fn take(&mut self) -> T {
                self.0.take().expect("an expansion takes each value once")
            }
        }

        impl<T> core::ops::Deref for $First<T> {
            type Target = $Second<T>;

            #[inline]
            fn deref(&self) -> &$Second<T> {
                &self.0
            }
        }

        impl<T> core::ops::DerefMut for $First<T> {
            #[inline]
            fn deref_mut(&mut self) -> &mut $Second<T> {
                &mut self.0
            }
        }
    };
}

/// Defines methods with the same body, for values that are used in the same way in several contexts.
macro_rules! methods {
    ($doc:literal $self:ident: $receiver:ty => $result:ty, $value:expr; $($method:ident)*) => { $(
        #[doc = $doc]
        #[inline]
        pub fn $method($self: $receiver) -> $result {
            $value
        }
    )* };
}

pub(super) use {methods, taken_once};
