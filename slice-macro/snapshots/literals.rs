// s![1, 2:4, None, ..., :-3:-1, :]
<::slice_core::SliceSpec<
    _,
    (
        ::slice_core::kind::Index,
        (
            ::slice_core::kind::Range,
            (
                ::slice_core::kind::NewAxis,
                (
                    ::slice_core::kind::Ellipsis,
                    (::slice_core::kind::Range, (::slice_core::kind::Range, ())),
                ),
            ),
        ),
    ),
>>::__encoded([1, 2, 0, 0, 0, 0], [2, 4, 0, 0, -3, 0], [1, 1, 1, 1, -1, 1], 48, 32)
