// pub const A: u8 = s![0]; const B = s![..., -1]; static C = s![:]
const B: ::slice_core::SliceSpec<
    2,
    (::slice_core::kind::Ellipsis, (::slice_core::kind::Index, ())),
> = s![..., - 1];
::core::compile_error! {
    "`named!` takes only declarations of slices\nhelp: write `const NAME = s![...];`"
}
::core::compile_error! {
    "a semicolon is missing after this\nhelp: write `const NAME = s![...];`"
}
