"builtin.module"() <{sym_name = "jit_everything"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x4x8xf32>, tensor<i32>) -> (tensor<1x3x4xf32>, tensor<1x8xf32>, tensor<1x4x8xf32>, tensor<1x4x2xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x4x3xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>, tensor<1x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<1x4x8xf32>, %arg4: tensor<i32>):
    %3 = "stablehlo.constant"() <{value = dense<[0, 2, -3]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %4 = "stablehlo.constant"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %7 = "stablehlo.compare"(%3, %6) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %8 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %10 = "stablehlo.add"(%3, %9) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %11 = "stablehlo.select"(%7, %10, %3) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %13 = "stablehlo.gather"(%arg3, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1>}> : (tensor<1x4x8xf32>, tensor<3x1xi32>) -> tensor<1x4x3xf32>
    %14 = "func.call"(%arg3, %4) <{callee = @_take}> : (tensor<1x4x8xf32>, tensor<2xi32>) -> tensor<1x2x8xf32>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.compare"(%arg4, %15) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %17 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32>
    %18 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.add"(%17, %18) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %20 = "stablehlo.select"(%16, %19, %arg4) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.dynamic_slice"(%arg3, %21, %20, %22) <{slice_sizes = array<i64: 1, 2, 8>}> : (tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.dynamic_slice"(%arg3, %24, %25, %26) <{slice_sizes = array<i64: 1, 2, 4>}> : (tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %28 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 1, 4, 8>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 1, 2>}> : (tensor<1x4x8xf32>) -> tensor<1x3x4xf32>
    %29 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 1, 4, 8>, start_indices = array<i64: 0, 3, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<1x4x8xf32>) -> tensor<1x1x8xf32>
    %30 = "stablehlo.reshape"(%29) : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
    %31 = "func.call"(%arg3) <{callee = @_flip}> : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %32 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 1, 4, 6>, start_indices = array<i64: 0, 0, 3>, strides = array<i64: 1, 1, 2>}> : (tensor<1x4x8xf32>) -> tensor<1x4x2xf32>
    %33 = "stablehlo.reverse"(%32) <{dimensions = array<i64: 2>}> : (tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
    %34 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 1, 2, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<1x4x8xf32>) -> tensor<1x2x8xf32>
    %35 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 1, 4, 8>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<1x4x8xf32>) -> tensor<1x2x8xf32>
    %36 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32>
    %37 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %39 = "stablehlo.compare"(%37, %38) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %42 = "stablehlo.add"(%40, %41) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %43 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %44 = "stablehlo.select"(%39, %42, %43) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.compare"(%36, %45) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %47 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %48 = "stablehlo.add"(%36, %47) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %49 = "stablehlo.select"(%46, %48, %36) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.compare"(%50, %51) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.add"(%53, %54) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %56 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %57 = "stablehlo.select"(%52, %55, %56) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %58 = "stablehlo.dynamic_slice"(%arg3, %44, %49, %57) <{slice_sizes = array<i64: 1, 1, 8>}> : (tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8xf32>
    %59 = "stablehlo.reshape"(%58) : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
    "func.return"(%28, %30, %31, %33, %34, %35, %13, %14, %23, %27, %59) : (tensor<1x3x4xf32>, tensor<1x8xf32>, tensor<1x4x8xf32>, tensor<1x4x2xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x4x3xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>, tensor<1x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x4x8xf32>, tensor<2xi32>) -> tensor<1x2x8xf32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<1x4x8xf32>, %arg2: tensor<2xi32>):
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %2 = "stablehlo.gather"(%arg1, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<1x4x8xf32>, tensor<2x1xi32>) -> tensor<1x2x8xf32>
    "func.return"(%2) : (tensor<1x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x4x8xf32>):
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 2>}> : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    "func.return"(%0) : (tensor<1x4x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
