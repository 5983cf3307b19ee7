// s![::STEP, ::-(Self::N), ::{ N }, ::(1 - 1)]
match ::slice_core::__private::saturate_all([
    const {
        ::slice_core::__private::nonzero(
            ::slice_core::__private::bound(STEP).stride() as _,
        )
    },
    const {
        ::slice_core::__private::nonzero(
            ::slice_core::__private::opposite(
                ::slice_core::__private::operand(Self::N).value() as _,
            ),
        )
    },
    ::slice_core::__private::bound({ N }).stride() as _,
    const {
        ::slice_core::__private::nonzero(::slice_core::__private::integer((1 - 1)) as _)
    },
]) {
    [__slice_0, __slice_1, __slice_2, __slice_3] => {
        <::slice_core::SliceSpec<
            _,
            (
                ::slice_core::kind::Range,
                (
                    ::slice_core::kind::Range,
                    (::slice_core::kind::Range, (::slice_core::kind::Range, ())),
                ),
            ),
        >>::__encoded(
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
