// s![config::N, newaxs]
match (
    ::slice_core::expansion::bound({
            macro_rules! a_path_to_a_constant_in_a_module_must_be_in_parentheses {
                () => {
                    config
                };
            }
            a_path_to_a_constant_in_a_module_must_be_in_parentheses!()
        })
        .or_omitted_in_s(1),
    const {
        ::slice_core::expansion::nonzero_step(
            ::slice_core::expansion::bound({
                    macro_rules! a_path_to_a_constant_in_a_module_must_be_in_parentheses {
                        () => {
                            N
                        };
                    }
                    a_path_to_a_constant_in_a_module_must_be_in_parentheses!()
                })
                .stride_in_s() as _,
        )
    },
    ::slice_core::expansion::bound({
            macro_rules! the_new_axis_is_spelled_newaxis {
                () => {
                    newaxs
                };
            }
            the_new_axis_is_spelled_newaxis!()
        })
        .index_in_s() as _,
) {
    ((__slice_0, __omitted_0), __slice_1, __slice_2) => {
        match ::slice_core::expansion::saturate_all([
            __slice_0 as _,
            __slice_1,
            __slice_2,
        ]) {
            [__slice_0, __slice_1, __slice_2] => {
                <::slice_core::SliceSpec<
                    _,
                    (::slice_core::kind::Range, (::slice_core::kind::Index, ())),
                >>::__encoded(
                    [__slice_0, __slice_2],
                    [0, __slice_2.saturating_add(1)],
                    [__slice_1, 1],
                    0 | __omitted_0,
                    1,
                )
            }
        }
    }
}
