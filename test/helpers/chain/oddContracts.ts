import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseEther, zeroAddress } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { uniswapV2Abi } from '../../../functions/solver/pools/uniswapV2Abi.ts'

/** where pools are made; by default on Sepolia */
type Market = Pick<Network, 'uniswapV2Factory' | 'wrappedNative'>
/** holds all odd tokens at first */
export const provider = devAccounts[7].address

const oddTokenAbi = parseAbi([
  'function setPaused(bool paused)',
  'function setBlocked(address account, bool isBlocked)',
  'function setNeedsReset(bool needsReset)',
  'function setRefusesNothing(bool refusesNothing)',
  'function setTaxed(address account)',
])
const pairAbi = parseAbi(['function mint(address to) returns (uint256)'])

/** Deploys a contract of `contracts/test`. */
export const deployTestContract = async (
  chain: LocalChain,
  name: 'OddToken' | 'PickyWallet' | 'OtherProxy',
  args: readonly unknown[] = [],
): Promise<Address> => {
  const { abi, creationCode } = readCompiledContract(name)
  const hash = await chain.deployContract({ abi, bytecode: creationCode, args, account: provider })
  const { contractAddress } = await waitForReceipt(chain, hash)
  if (!contractAddress) throw new Error(`${name} was not deployed`)
  return contractAddress.toLowerCase() as Address
}

type Switch = Parameters<typeof encodeFunctionData<typeof oddTokenAbi>>[0]['functionName'] & string

/** An `OddToken` with a pool of 20 WETH and 60,000 of it. */
export type OddToken = {
  address: Address
  pool: Address
  /** Switches an oddity on or off. */
  set: (name: Switch, ...args: readonly (boolean | Address)[]) => Promise<void>
  give: (to: Address, amount: bigint) => Promise<void>
}

/** Pairs 60,000 of a token, which the provider holds, with 20 WETH. */
export const createPool = async (
  chain: LocalChain,
  token: Address,
  { uniswapV2Factory, wrappedNative }: Market = networks.sepolia,
): Promise<Address> => {
  const send = (to: Address, data: Hex, value = 0n) => sendFrom(chain, provider, { to, data, value })
  const pair = { abi: uniswapV2Abi, args: [token, wrappedNative] } as const
  await send(uniswapV2Factory, encodeFunctionData({ ...pair, functionName: 'createPair' }))
  const pool = await chain.readContract({ ...pair, address: uniswapV2Factory, functionName: 'getPair' })
  await send(wrappedNative, '0x', parseEther('20'))
  await send(wrappedNative, encodeTransfer(pool, parseEther('20')))
  await send(token, encodeTransfer(pool, parseEther('60000')))
  await send(pool, encodeFunctionData({ abi: pairAbi, functionName: 'mint', args: [provider] }))
  return pool.toLowerCase() as Address
}

const encodeTransfer = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

/** @param hasPool false: the chain has no factory of pools, and `pool` is the zero address */
export const deployOddToken = async (
  chain: LocalChain,
  { hasPool = true, network }: { hasPool?: boolean; network?: Market } = {},
): Promise<OddToken> => {
  const address = await deployTestContract(chain, 'OddToken')
  const send = (to: Address, data: Hex) => sendFrom(chain, provider, { to, data })
  return {
    address,
    pool: hasPool ? await createPool(chain, address, network) : zeroAddress,
    set: (functionName, ...args) =>
      send(address, encodeFunctionData({ abi: oddTokenAbi, functionName, args } as never)),
    give: (to, amount) => send(address, encodeTransfer(to, amount)),
  }
}
