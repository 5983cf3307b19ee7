// s![0, ..., ..., ::0, n:(2 +)]
{
    ::core::compile_error! {
        "an index can only have a single ellipsis ('...')\nhelp: write `...` once, and `:` for any other whole axis"
    }
    ::core::compile_error! {
        "slice step cannot be zero\nhelp: omit it to select every element, or write `-1` to go backwards"
    }
    match (
        ::slice_core::expansion::bound(n).or_omitted_in_s(16),
        ::slice_core::expansion::bound(::slice_core::__expression!((2 +)))
            .or_omitted_in_s(16),
    ) {
        ((__slice_0, __omitted_0), (__slice_1, __omitted_1)) => {
            match ::slice_core::expansion::saturate_all([
                __slice_0 as _,
                __slice_1 as _,
            ]) {
                [__slice_0, __slice_1] => {
                    <::slice_core::SliceSpec<
                        _,
                        (
                            ::slice_core::kind::Index,
                            (
                                ::slice_core::kind::Ellipsis,
                                (
                                    ::slice_core::kind::Ellipsis,
                                    (::slice_core::kind::Range, (::slice_core::kind::Range, ())),
                                ),
                            ),
                        ),
                    >>::__encoded(
                        [0, 0, 0, 0, __slice_0],
                        [1, 0, 0, 0, __slice_1],
                        [1, 1, 1, 1, 1],
                        8 | __omitted_0,
                        8 | __omitted_1,
                    )
                }
            }
        }
    }
}
