// s![]
::slice_core::SliceSpec::<
    0usize,
    (),
>::__encoded([], [], [], 0, 0, 0, 0, 0)
