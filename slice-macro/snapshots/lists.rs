// s![[0, 2, -1], ..., &rows, 1:, [n, 0], [true, false]]
(::slice_core::ListSpec::<
    '_,
    _,
    (
        ::slice_core::kind::List,
        (
            ::slice_core::kind::Ellipsis,
            (
                _,
                (
                    ::slice_core::kind::Range,
                    (::slice_core::kind::List, (::slice_core::kind::List, ())),
                ),
            ),
        ),
    ),
> {
    __parts: [
        ::slice_core::bound::Part {
            __item: ::slice_core::bound::BorrowedItem::Literal {
                0: &[0, 2, -1],
            },
            __kinds: ::core::marker::PhantomData,
        },
        ::slice_core::bound::Part {
            __item: ::slice_core::bound::BorrowedItem::of(
                <::slice_core::SliceSpec<
                    _,
                    (::slice_core::kind::Ellipsis, ()),
                >>::__encoded([0], [0], [1], 0, 0),
            ),
            __kinds: ::core::marker::PhantomData,
        },
        ::slice_core::bound::after(
            ::slice_core::bound::after(
                ::slice_core::bound::first(::slice_core::bound::list(&rows)),
            ),
        ),
        ::slice_core::bound::Part {
            __item: ::slice_core::bound::BorrowedItem::of(
                <::slice_core::SliceSpec<
                    _,
                    (::slice_core::kind::Range, ()),
                >>::__encoded([1], [0], [1], 0, 1),
            ),
            __kinds: ::core::marker::PhantomData,
        },
        ::slice_core::bound::Part {
            __item: ::slice_core::bound::BorrowedItem::Literal {
                0: &::slice_core::bound::saturate_all([
                    ::slice_core::bound::index(n).value_in_s() as _,
                    0,
                ]),
            },
            __kinds: ::core::marker::PhantomData,
        },
        ::slice_core::bound::Part {
            __item: ::slice_core::bound::BorrowedItem::LiteralMask {
                0: &[true, false],
            },
            __kinds: ::core::marker::PhantomData,
        },
    ],
})
