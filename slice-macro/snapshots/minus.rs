// s![-n, -a.len():--m]
match ::slice_core::expansion::saturate_all([
    ::slice_core::expansion::opposite(
        ::slice_core::expansion::bound(n).negated_in_s() as _,
    ),
    ::slice_core::expansion::opposite(
        ::slice_core::expansion::bound(a.len()).negated_in_s() as _,
    ),
    ::slice_core::expansion::bound(m).negated_in_s() as _,
]) {
    [__slice_0, __slice_1, __slice_2] => {
        <::slice_core::SliceSpec<
            _,
            (::slice_core::kind::Index, (::slice_core::kind::Range, ())),
        >>::__encoded(
            [__slice_0, __slice_1],
            [__slice_0.saturating_add(1), __slice_2],
            [1, 1],
            0,
            0,
        )
    }
}
