// s![::STEP, ::-(Self::N), ::{ N }, ::(1 - 1)]
match (
    const {
        match ::slice_core::__private::bound(STEP) {
            __slice_stride => {
                ::slice_core::__private::nonzero(
                    __slice_stride,
                    __slice_stride.step() as ::core::primitive::i128,
                )
            }
        }
    },
    const {
        match ::slice_core::__private::opposite(
            ::slice_core::__private::operand(Self::N).value() as ::core::primitive::i128,
        ) {
            __slice_stride => {
                ::slice_core::__private::nonzero(__slice_stride, __slice_stride)
            }
        }
    },
    ::slice_core::__private::bound({ N }),
    const {
        match ::slice_core::__private::integer((1 - 1)) as ::core::primitive::i128 {
            __slice_stride => {
                ::slice_core::__private::nonzero(__slice_stride, __slice_stride)
            }
        }
    },
) {
    (__bound_0, __bound_1, __bound_2, __bound_3) => {
        match ::slice_core::__private::saturate_all([
            __bound_0.step() as ::core::primitive::i128,
            __bound_1,
            __bound_2.step() as ::core::primitive::i128,
            __bound_3,
        ]) {
            [__slice_0, __slice_1, __slice_2, __slice_3] => {
                ::slice_core::SliceSpec::<
                    _,
                    (
                        ::slice_core::kind::Range,
                        (
                            ::slice_core::kind::Range,
                            (::slice_core::kind::Range, (::slice_core::kind::Range, ())),
                        ),
                    ),
                >::__encoded(
                    [0, 0, 0, 0],
                    [0, 0, 0, 0],
                    [__slice_0, __slice_1, __slice_2, __slice_3],
                    15,
                    15,
                    0,
                    0,
                    0,
                )
            }
        }
    }
}
