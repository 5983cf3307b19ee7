module @jit_focus attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x3x8x8xf32>) -> (tensor<1x12x4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:3, 0:8:2, 0:8:2] : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:3, 1:8:2, 0:8:2] : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    %2 = stablehlo.slice %arg0 [0:1, 0:3, 0:8:2, 1:8:2] : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    %3 = stablehlo.slice %arg0 [0:1, 0:3, 1:8:2, 1:8:2] : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    %4 = stablehlo.concatenate %0, %1, %2, %3, dim = 1 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x12x4x4xf32>
    return %4 : tensor<1x12x4x4xf32>
  }
}
