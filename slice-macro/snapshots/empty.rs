// s![]
<::slice_core::SliceSpec<_, ()>>::__encoded([], [], [], 0, 0)
