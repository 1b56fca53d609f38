import type { Address, Hex } from 'viem'

/**
 * The deterministic deployer: calldata = salt ‖ creation code.
 * https://github.com/Arachnid/deterministic-deployment-proxy
 */
export const create2Deployer: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/**
 * Deploys it on a chain that lacks it, signed for every chain id: its account needs `price` first. A chain that refuses
 * transactions without a chain id cannot have it.
 */
export const create2Deployment: { from: Address; price: bigint; transaction: Hex } = {
  from: '0x3fab184622dc19b6109349b94811493bf2a45362',
  price: 10_000_000_000_000_000n,
  transaction:
    '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222',
}
