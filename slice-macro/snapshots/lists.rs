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
        ::slice_core::expansion::Part {
            __item: ::slice_core::expansion::BorrowedItem::List {
                0: ::slice_core::expansion::ListArray {
                    __elements: ::slice_core::expansion::ListRef::I64 {
                        0: &[0, 2, -1],
                    },
                    __shape: ::core::option::Option::Some(&[3]),
                },
            },
            __kinds: ::core::marker::PhantomData,
        },
        ::slice_core::expansion::Part {
            __item: ::slice_core::expansion::BorrowedItem::of(
                <::slice_core::SliceSpec<
                    _,
                    (::slice_core::kind::Ellipsis, ()),
                >>::__encoded([0], [0], [1], 0, 0),
            ),
            __kinds: ::core::marker::PhantomData,
        },
        ::slice_core::expansion::after(
            ::slice_core::expansion::after(
                ::slice_core::expansion::first(
                    ::slice_core::bound::AList::part_in_s(&rows),
                ),
            ),
        ),
        ::slice_core::expansion::Part {
            __item: ::slice_core::expansion::BorrowedItem::of(
                <::slice_core::SliceSpec<
                    _,
                    (::slice_core::kind::Range, ()),
                >>::__encoded([1], [0], [1], 0, 1),
            ),
            __kinds: ::core::marker::PhantomData,
        },
        ::slice_core::expansion::Part {
            __item: ::slice_core::expansion::BorrowedItem::List {
                0: ::slice_core::expansion::ListArray {
                    __elements: ::slice_core::expansion::ListRef::I64 {
                        0: &::slice_core::expansion::saturate_all([
                            ::slice_core::expansion::bound(n).index_in_s() as _,
                            0,
                        ]),
                    },
                    __shape: ::core::option::Option::Some(&[2]),
                },
            },
            __kinds: ::core::marker::PhantomData,
        },
        ::slice_core::expansion::Part {
            __item: ::slice_core::expansion::BorrowedItem::List {
                0: ::slice_core::expansion::ListArray {
                    __elements: ::slice_core::expansion::ListRef::Mask {
                        0: &[true, false],
                    },
                    __shape: ::core::option::Option::Some(&[2]),
                },
            },
            __kinds: ::core::marker::PhantomData,
        },
    ],
})
