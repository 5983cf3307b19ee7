//! `SliceSpec`: the value of `s![]`, with the kinds of its items in its type.

use core::marker::PhantomData;

use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Encoded, Item, Masks, masks};
use crate::spec::kind::{Ellipsis, Erased, Index, NewAxis, Range};

/// A slice written with [`s!`](crate::s!). It has `ITEMS` items, whose kinds are listed in the type `K`.
///
/// Python equivalent: the tuple inside `x[...]`, for instance `np.s_[1:, ..., np.newaxis, :-3:-1]`.
///
/// The items are stored as numbers and masks, in TensorFlow's encoding. An index `i` is stored as the `begin` `i`, the
/// end `i + 1` and the stride 1, with its bit set in the shrink-axis mask. An omitted bound is stored as 0, and its bit
/// is set in the begin mask or the end mask. For `...` and `newaxis`, `begin` and `end` are 0, the stride is 1, and
/// the bit is set in the ellipsis mask or the new-axis mask.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let spec = s![1, 2:4, None, ..., :-3:-1, :];
/// assert_eq!(spec.begin(), &[1, 2, 0, 0, 0, 0]);
/// assert_eq!(spec.end(), &[2, 4, 0, 0, -3, 0]);
/// assert_eq!(spec.strides(), &[1, 1, 1, 1, -1, 1]);
/// assert_eq!((spec.begin_mask(), spec.end_mask()), (48, 32));
/// assert_eq!((spec.ellipsis_mask(), spec.new_axis_mask(), spec.shrink_axis_mask()), (8, 4, 1));
/// ```
///
/// The type `SliceSpec<2>`, without kinds, can hold any slice with two items. It is useful for a struct field, or for a
/// table, that holds different slices. [`erase`](Self::erase) converts a slice to this type. A view created with such a
/// slice has a dynamic rank.
///
/// ```
/// use ndarray::array;
/// use slice_core::{SliceSpec, StridedSliceExt, s};
///
/// struct Crop {
///     part: SliceSpec<2>,
/// }
/// let crops = [Crop { part: s![1:, ::-1].erase() }, Crop { part: s![..., 0].erase() }];
/// let x = array![[1, 2], [3, 4]];
/// assert_eq!(x.at(crops[0].part), array![[4, 3]].into_dyn());
/// assert_eq!(x.at(crops[1].part), array![1, 3].into_dyn());
/// ```
#[must_use = "a spec does nothing until it is applied to an array"]
// The compiler prints the names of the parameters if they are missing.
pub struct SliceSpec<const ITEMS: usize, K = Erased> {
    begin: [i64; ITEMS],
    end: [i64; ITEMS],
    strides: [i64; ITEMS],
    masks: Masks,
    // INVARIANT: `K` is `Erased`, or the list of the items' kinds according to the masks. The soundness of disjoint
    // mutable views depends on this invariant: the masks decide whether two slices are disjoint, but the views are
    // created from the kinds.
    kinds: PhantomData<fn() -> K>,
}

/// A list of item kinds, as a type. Three of the five masks follow from the kinds, unless a kind is unknown or is that of a
/// list.
pub trait Kinds {
    /// The number of kinds up to the first that is unknown or is that of a list.
    const LEN: usize = 0;
    /// The ellipsis mask: bit `i` is set if item `i` is `...`.
    const ELLIPSIS: u64 = 0;
    /// The new-axis mask: bit `i` is set if item `i` is `newaxis`.
    const NEW_AXIS: u64 = 0;
    /// The shrink-axis mask: bit `i` is set if item `i` is an index.
    const INDEX: u64 = 0;
}

impl Kinds for () {}

macro_rules! kinds {
    ($($kind:ident: $ellipsis:literal $new_axis:literal $index:literal;)*) => { $(
        impl<Rest: Kinds> Kinds for ($kind, Rest) {
            const LEN: usize = Rest::LEN + 1;
            const ELLIPSIS: u64 = Rest::ELLIPSIS << 1 | $ellipsis;
            const NEW_AXIS: u64 = Rest::NEW_AXIS << 1 | $new_axis;
            const INDEX: u64 = Rest::INDEX << 1 | $index;
        }
    )* };
}

kinds! {
    Ellipsis: 1 0 0;
    NewAxis: 0 1 0;
    Index: 0 0 1;
    Range: 0 0 0;
}

impl<const M: usize, K: Kinds> SliceSpec<M, K> {
    /// Creates a spec from its numbers, its begin mask and its end mask. The other three masks follow from the kinds.
    /// `s![]` expands to a call to this function.
    #[doc(hidden)]
    #[inline]
    pub const fn __encoded(
        begin: [i64; M],
        end: [i64; M],
        strides: [i64; M],
        begin_mask: u64,
        end_mask: u64,
    ) -> Self {
        // Invalid arguments in a handwritten call must panic here. Otherwise they would cause an incorrect result
        // later.
        assert!(M <= 64, "a slice has at most 64 items");
        let valid = if M == 64 { u64::MAX } else { (1 << M) - 1 };
        assert!(
            (begin_mask | end_mask) & !valid == 0,
            "a mask bit is set for an item that does not exist"
        );
        assert!(
            K::LEN == M,
            "the type of a slice must list one kind for each item"
        );
        assert!(
            K::ELLIPSIS.count_ones() <= 1,
            "an index can only have a single ellipsis ('...')"
        );
        SliceSpec {
            begin,
            end,
            strides,
            masks: Masks {
                begin: begin_mask,
                end: end_mask,
                ellipsis: K::ELLIPSIS,
                new_axis: K::NEW_AXIS,
                shrink_axis: K::INDEX,
            },
            kinds: PhantomData,
        }
    }

    /// Borrows the numbers and masks. Unless the kinds are unknown, their masks are constants.
    #[cfg(feature = "ndarray")]
    #[inline(always)]
    pub(crate) const fn encoded_with_kinds(&self) -> Encoded<'_> {
        let mut encoded = self.encoded();
        if K::LEN == M {
            encoded.masks.ellipsis = K::ELLIPSIS;
            encoded.masks.new_axis = K::NEW_AXIS;
            encoded.masks.shrink_axis = K::INDEX;
        }
        encoded
    }
}

masks!([const M: usize, K] SliceSpec<M, K>);

impl<const M: usize, K> SliceSpec<M, K> {
    /// Returns one number for each item: `begin` of a range (0 if omitted), the value of an index, or 0 for any other
    /// item.
    #[must_use]
    pub const fn begin(&self) -> &[i64; M] {
        &self.begin
    }

    /// Returns one number for each item: `end` of a range (0 if omitted), 1 plus the value of an index, or 0 for any
    /// other item.
    #[must_use]
    pub const fn end(&self) -> &[i64; M] {
        &self.end
    }

    /// Returns one number for each item: the step of a range, or 1 for any other item.
    #[must_use]
    pub const fn strides(&self) -> &[i64; M] {
        &self.strides
    }

    /// Returns the number of items.
    #[must_use]
    pub const fn len(&self) -> usize {
        M
    }

    /// Returns `true` if the spec has no items, like `s![]`.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![].is_empty());
    /// assert_eq!(s![1, ..., ::2].len(), 3);
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        M == 0
    }

    /// Borrows the numbers and masks, without the type parameters of the spec.
    #[inline]
    pub(crate) const fn encoded(&self) -> Encoded<'_> {
        Encoded {
            begin: &self.begin,
            end: &self.end,
            strides: &self.strides,
            masks: self.masks,
        }
    }

    /// Returns the items, in order.
    ///
    /// ```
    /// use slice_core::{Item, s};
    ///
    /// let items: Vec<Item> = s![-1, ..., newaxis].items().collect();
    /// assert_eq!(items, [Item::Index(-1), Item::Ellipsis, Item::NewAxis]);
    /// ```
    pub fn items(&self) -> impl ExactSizeIterator<Item = Item> + '_ {
        let encoded = self.encoded();
        (0..M).map(move |i| encoded.item(i))
    }

    /// Converts the spec to a type that states the number of items, but not their kinds.
    ///
    /// Use this type for a table, or for a struct field, that holds different specs. Every array accepts such a spec,
    /// and the result has a dynamic rank.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::kind::Erased;
    /// use slice_core::{SliceSpec, s};
    ///
    /// const CORNERS: [SliceSpec<2, Erased>; 2] = [s![0, :2].erase(), s![-1:, ...].erase()];
    /// assert_eq!(CORNERS[0].output_shape([3, 4]), [2]);
    /// assert_eq!(CORNERS[1].output_shape([3, 4]), [1, 4]);
    /// ```
    #[inline]
    pub const fn erase(self) -> SliceSpec<M, Erased> {
        SliceSpec {
            begin: self.begin,
            end: self.end,
            strides: self.strides,
            masks: self.masks,
            kinds: PhantomData,
        }
    }

    /// Returns the spec as a [`DynSliceSpec`], whose items are known only at run time.
    ///
    /// ```
    /// use slice_core::{Item, s};
    ///
    /// let mut spec = s![1:, ...].to_dyn();
    /// spec.push(Item::Index(0))?;
    /// assert_eq!(spec.to_string(), "1:, ..., 0");
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn to_dyn(&self) -> DynSliceSpec {
        DynSliceSpec::of_valid_items(self.items())
    }
}

// The traits are implemented by hand, because a derive would require the list of kinds, `K`, to implement them too.
impl<const M: usize, K> Clone for SliceSpec<M, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const M: usize, K> Copy for SliceSpec<M, K> {}

impl<const M: usize, K> PartialEq for SliceSpec<M, K> {
    fn eq(&self, other: &Self) -> bool {
        (self.begin, self.end, self.strides, self.masks)
            == (other.begin, other.end, other.strides, other.masks)
    }
}

impl<const M: usize, K> Eq for SliceSpec<M, K> {}

impl<const M: usize, K> core::hash::Hash for SliceSpec<M, K> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.begin, self.end, self.strides, self.masks).hash(state);
    }
}

impl<const M: usize, K> From<SliceSpec<M, K>> for DynSliceSpec {
    fn from(spec: SliceSpec<M, K>) -> Self {
        spec.to_dyn()
    }
}
