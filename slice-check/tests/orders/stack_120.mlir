module @jit_join attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x3x2x2xf32>) -> (tensor<1x3x2x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:1, 1:2, 0:2, 0:2] : (tensor<1x3x2x2xf32>) -> tensor<1x1x2x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x2x2xf32>) -> tensor<1x2x2xf32>
    %2 = stablehlo.slice %arg0 [0:1, 2:3, 0:2, 0:2] : (tensor<1x3x2x2xf32>) -> tensor<1x1x2x2xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x1x2x2xf32>) -> tensor<1x2x2xf32>
    %4 = stablehlo.slice %arg0 [0:1, 0:1, 0:2, 0:2] : (tensor<1x3x2x2xf32>) -> tensor<1x1x2x2xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x1x2x2xf32>) -> tensor<1x2x2xf32>
    %6 = stablehlo.broadcast_in_dim %1, dims = [0, 2, 3] : (tensor<1x2x2xf32>) -> tensor<1x1x2x2xf32>
    %7 = stablehlo.broadcast_in_dim %3, dims = [0, 2, 3] : (tensor<1x2x2xf32>) -> tensor<1x1x2x2xf32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0, 2, 3] : (tensor<1x2x2xf32>) -> tensor<1x1x2x2xf32>
    %9 = stablehlo.concatenate %6, %7, %8, dim = 1 : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x3x2x2xf32>
    return %9 : tensor<1x3x2x2xf32>
  }
}
