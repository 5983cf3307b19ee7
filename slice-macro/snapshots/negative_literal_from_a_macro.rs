// s![$begin::-$stride]
<::slice_core::SliceSpec<
    _,
    (::slice_core::kind::Range, ()),
>>::__encoded([-1], [0], [-2], 0, 1)
