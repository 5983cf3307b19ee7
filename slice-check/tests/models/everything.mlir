module @jit_everything attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4x8xf32>, %arg1: tensor<i32>) -> (tensor<1x3x4xf32> {jax.result_info = "result[0]"}, tensor<1x8xf32> {jax.result_info = "result[1]"}, tensor<1x4x8xf32> {jax.result_info = "result[2]"}, tensor<1x4x2xf32> {jax.result_info = "result[3]"}, tensor<1x2x8xf32> {jax.result_info = "result[4]"}, tensor<1x2x8xf32> {jax.result_info = "result[5]"}, tensor<1x4x3xf32> {jax.result_info = "result[6]"}, tensor<1x2x8xf32> {jax.result_info = "result[7]"}, tensor<1x2x8xf32> {jax.result_info = "result[8]"}, tensor<1x2x4xf32> {jax.result_info = "result[9]"}, tensor<1x8xf32> {jax.result_info = "result[10]"}) {
    %c = stablehlo.constant dense<[0, 2, -3]> : tensor<3xi32>
    %c_0 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.compare LT, %c, %0, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.add %c, %2 : tensor<3xi32>
    %4 = stablehlo.select %1, %3, %c : tensor<3xi1>, tensor<3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1>}> : (tensor<1x4x8xf32>, tensor<3x1xi32>) -> tensor<1x4x3xf32>
    %7 = call @_take(%arg0, %c_0) : (tensor<1x4x8xf32>, tensor<2xi32>) -> tensor<1x2x8xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %arg1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.convert %arg1 : tensor<i32>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %10 = stablehlo.add %9, %c_4 : tensor<i32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.dynamic_slice %arg0, %c_5, %11, %c_6, sizes = [1, 2, 8] : (tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %c_8 = stablehlo.constant dense<3> : tensor<i32>
    %c_9 = stablehlo.constant dense<2> : tensor<i32>
    %13 = stablehlo.dynamic_slice %arg0, %c_7, %c_8, %c_9, sizes = [1, 2, 4] : (tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %14 = stablehlo.slice %arg0 [0:1, 1:4, 0:8:2] : (tensor<1x4x8xf32>) -> tensor<1x3x4xf32>
    %15 = stablehlo.slice %arg0 [0:1, 3:4, 0:8] : (tensor<1x4x8xf32>) -> tensor<1x1x8xf32>
    %16 = stablehlo.reshape %15 : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
    %17 = call @_flip(%arg0) : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %18 = stablehlo.slice %arg0 [0:1, 0:4, 3:6:2] : (tensor<1x4x8xf32>) -> tensor<1x4x2xf32>
    %19 = stablehlo.reverse %18, dims = [2] : tensor<1x4x2xf32>
    %20 = stablehlo.slice %arg0 [0:1, 0:2, 0:8] : (tensor<1x4x8xf32>) -> tensor<1x2x8xf32>
    %21 = stablehlo.slice %arg0 [0:1, 2:4, 0:8] : (tensor<1x4x8xf32>) -> tensor<1x2x8xf32>
    %22 = stablehlo.convert %arg1 : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.compare LT, %c_10, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %c_13 = stablehlo.constant dense<1> : tensor<i32>
    %24 = stablehlo.add %c_12, %c_13 : tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.select %23, %24, %c_14 : tensor<i1>, tensor<i32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.compare LT, %22, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_16 = stablehlo.constant dense<4> : tensor<i32>
    %27 = stablehlo.add %22, %c_16 : tensor<i32>
    %28 = stablehlo.select %26, %27, %22 : tensor<i1>, tensor<i32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.compare LT, %c_17, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %c_20 = stablehlo.constant dense<8> : tensor<i32>
    %30 = stablehlo.add %c_19, %c_20 : tensor<i32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.select %29, %30, %c_21 : tensor<i1>, tensor<i32>
    %32 = stablehlo.dynamic_slice %arg0, %25, %28, %31, sizes = [1, 1, 8] : (tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
    return %14, %16, %17, %19, %20, %21, %6, %7, %12, %13, %33 : tensor<1x3x4xf32>, tensor<1x8xf32>, tensor<1x4x8xf32>, tensor<1x4x2xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x4x3xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>, tensor<1x8xf32>
  }
  func.func private @_take(%arg0: tensor<1x4x8xf32>, %arg1: tensor<2xi32>) -> tensor<1x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<1x4x8xf32>, tensor<2x1xi32>) -> tensor<1x2x8xf32>
    return %1 : tensor<1x2x8xf32>
  }
  func.func private @_flip(%arg0: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
    %0 = stablehlo.reverse %arg0, dims = [2] : tensor<1x4x8xf32>
    return %0 : tensor<1x4x8xf32>
  }
}
