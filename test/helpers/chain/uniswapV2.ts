import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseUnits, zeroAddress } from 'viem'
import { networks } from '#shared/networks.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { readArtifact } from '#tools/stack/chain/contracts/readArtifact.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'

const factory = networks.sepolia.uniswapV2Factory
/** Holds the supply of the test tokens and provides the pools' liquidity. */
const provider = devAccounts[7].address

const factoryAbi = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function createPair(address, address) returns (address)',
])
const pairAbi = parseAbi(['function mint(address to) returns (uint256)', 'function sync()'])
const mintAbi = parseAbi(['function mint(address to, uint256 amount)'])

const tokenArtifact = readArtifact('@openzeppelin/contracts/build/contracts/ERC20PresetMinterPauser.json')

/** A new token of 18 decimals without pools; the provider holds a million. */
export const deployToken = async (chain: LocalChain, symbol: string): Promise<Address> => {
  const hash = await chain.deployContract({
    account: provider,
    abi: parseAbi(['constructor(string name, string symbol)']),
    bytecode: tokenArtifact.bytecode,
    args: [symbol, symbol],
  })
  const { contractAddress } = await waitForReceipt(chain, hash)
  const token = (contractAddress ?? zeroAddress).toLowerCase() as Address
  await mintToken(chain, token, provider, parseUnits('1000000', 18))
  return token
}

/** Transfers atoms of a token of `deployToken`. */
export const mintToken = (chain: LocalChain, token: Address, to: Address, amount: bigint): Promise<void> =>
  sendFrom(chain, provider, {
    to: token,
    data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [to, amount] }),
  })

/** A pool with reserves of two of the provider's tokens, in atoms. */
export const createPool = async (chain: LocalChain, reserves: readonly [Address, bigint][]): Promise<void> => {
  const [[tokenA = zeroAddress] = [], [tokenB = zeroAddress] = []] = reserves
  const args = [tokenA, tokenB] as const
  await sendFrom(chain, provider, {
    to: factory,
    data: encodeFunctionData({ abi: factoryAbi, functionName: 'createPair', args }),
  })
  const pool = await findPool(chain, tokenA, tokenB)
  for (const [token, amount] of reserves) await pay(chain, token, pool, amount)
  await callPool(chain, pool, encodeFunctionData({ abi: pairAbi, functionName: 'mint', args: [provider] }))
}

/** Raises the price of the pool's other token in `token` by adding atoms of `token` without a swap. */
export const donate = async (chain: LocalChain, token: Address, other: Address, amount: bigint): Promise<void> => {
  const pool = await findPool(chain, token, other)
  await pay(chain, token, pool, amount)
  await callPool(chain, pool, encodeFunctionData({ abi: pairAbi, functionName: 'sync' }))
}

const findPool = (chain: LocalChain, tokenA: Address, tokenB: Address): Promise<Address> =>
  chain.readContract({ address: factory, abi: factoryAbi, functionName: 'getPair', args: [tokenA, tokenB] })

const pay = (chain: LocalChain, token: Address, to: Address, amount: bigint): Promise<void> =>
  sendFrom(chain, provider, {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

const callPool = (chain: LocalChain, pool: Address, data: Hex): Promise<void> =>
  sendFrom(chain, provider, { to: pool, data })
