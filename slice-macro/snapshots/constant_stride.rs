// s![::STEP, ::-(Self::N), ::{ N }, ::(1 - 1)]
match ::slice_core::expansion::saturate_all([
    const {
        ::slice_core::expansion::nonzero_step(
            ::slice_core::expansion::bound(STEP).stride_in_s() as _,
        )
    },
    const {
        ::slice_core::expansion::nonzero_step(
            ::slice_core::expansion::opposite(
                ::slice_core::expansion::bound(Self::N).negated_in_s() as _,
            ),
        )
    },
    ::slice_core::expansion::bound({ N }).stride_in_s() as _,
    const {
        ::slice_core::expansion::nonzero_step(
            ::slice_core::expansion::bound((1 - 1)).value_in_s() as _,
        )
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
        )
    }
}
