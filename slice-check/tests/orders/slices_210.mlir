module @jit_join attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x3x2x2xf32>) -> (tensor<1x3x2x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:1, 0:2, 0:2] : (tensor<1x3x2x2xf32>) -> tensor<1x1x2x2xf32>
    %1 = stablehlo.slice %arg0 [0:1, 1:2, 0:2, 0:2] : (tensor<1x3x2x2xf32>) -> tensor<1x1x2x2xf32>
    %2 = stablehlo.slice %arg0 [0:1, 2:3, 0:2, 0:2] : (tensor<1x3x2x2xf32>) -> tensor<1x1x2x2xf32>
    %3 = stablehlo.concatenate %2, %1, %0, dim = 1 : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x3x2x2xf32>
    return %3 : tensor<1x3x2x2xf32>
  }
}
