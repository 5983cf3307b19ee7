// s![::STEP, ::-(Self::N), ::{ N }]
match ::slice_core::__private::saturate_all([
    const {
        ::slice_core::__private::assert_stride(
            ::slice_core::__private::integer(STEP) as ::core::primitive::i128,
        )
    },
    const {
        ::slice_core::__private::assert_stride(
            ::slice_core::__private::integer(-(Self::N)) as ::core::primitive::i128,
        )
    },
    ::slice_core::__private::integer({ N }) as ::core::primitive::i128,
]) {
    [__slice_0, __slice_1, __slice_2] => {
        ::slice_core::SliceSpec::<
            _,
            (
                ::slice_core::kind::Range,
                (::slice_core::kind::Range, (::slice_core::kind::Range, ())),
            ),
        >::__encoded(
            [0, 0, 0],
            [0, 0, 0],
            [__slice_0, __slice_1, __slice_2],
            7,
            7,
            0,
            0,
            0,
        )
    }
}
