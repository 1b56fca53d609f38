import {
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  maxUint256,
  numberToHex,
  pad,
  parseAbi,
  parseUnits,
  zeroAddress,
} from 'viem'
import { squareRoot } from '#shared/amounts/squareRoot.ts'
import type { Network } from '#shared/networks.ts'
import { create2Deployer } from '../../../contracts/create2Deployer.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { devAccounts } from '../devAccounts.ts'
import { toMappingSlot } from '../toMappingSlot.ts'
import { waitForReceipt } from '../waitForReceipt.ts'
import type { PoolTokens } from './createUniswapV2Pools.ts'
import { findRuntimeCode } from './findRuntimeCode.ts'
import { hasCode } from './hasCode.ts'
import { installContract } from './installContract.ts'
import { readArtifact } from './readArtifact.ts'
import { readCompiledContract } from './readCompiledContract.ts'

type PoolSymbol = keyof PoolTokens

/**
 * Pools with a wide and a narrow position, amounts in whole tokens at the prices of the V2 pools. COW and DAI have no
 * other pool; that of WETH and COW is worse than the V2 pool for small trades, and deeper for large ones.
 */
const pools: { symbols: [PoolSymbol, PoolSymbol]; fee: number; amounts: [string, string]; widths: [number, number] }[] =
  [
    { symbols: ['COW', 'DAI'], fee: 3_000, amounts: ['1000000', '300000'], widths: [12_000, 1_200] },
    { symbols: ['WETH', 'COW'], fee: 10_000, amounts: ['500', '5000000'], widths: [12_000, 2_000] },
  ]

const tickSpacings: Record<number, number> = { 500: 10, 3000: 60, 10000: 200 }

const factoryAbi = parseAbi(['function getPool(address, address, uint24) view returns (address)'])
const poolAbi = parseAbi(['function liquidity() view returns (uint128)'])
const managerAbi = parseAbi([
  'constructor(address factory, address wrappedNative, address descriptor)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
])

const salt = pad('0x00')
const provider = devAccounts[7].address
/** Gas limit of each transaction here; an estimate would have to wait for the transaction before. */
const gas = 6_000_000n

/**
 * Uniswap V3's factory and router at their public addresses, its position manager, and pools with concentrated
 * liquidity of `devAccounts[7]`.
 */
export const createUniswapV3Pools = async (
  chain: LocalChain,
  tokens: PoolTokens,
  { uniswapV3: { factory, router } }: Network,
): Promise<Record<'uniswapV3Factory' | 'uniswapV3Router' | 'uniswapV3PositionManager', Address>> => {
  await installFactory(chain, factory)
  await installRouter(chain, router, factory)
  const managerCode = encodeDeployData({
    abi: managerAbi,
    bytecode: readPeriphery('NonfungiblePositionManager'),
    args: [factory, tokens.WETH.address, zeroAddress],
  })
  const manager = getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode: managerCode })
  const contracts = {
    uniswapV3Factory: factory,
    uniswapV3Router: router,
    uniswapV3PositionManager: manager.toLowerCase() as Address,
  }
  const missing = await findMissing(chain, factory, tokens)
  if (missing.length === 0) return contracts

  const wrapped = parseUnits('500', 18)
  await chain.setBalance({ address: provider, value: wrapped + (await chain.getBalance({ address: provider })) })
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [manager, maxUint256] })
  await sendAll(chain, [
    ...((await hasCode(chain, manager))
      ? []
      : [{ to: create2Deployer, data: concatHex([salt, managerCode]) } as const]),
    { to: tokens.WETH.address, value: wrapped },
    ...(['WETH', 'COW', 'DAI'] as const).map((symbol) => ({ to: tokens[symbol].address, data: approve })),
    ...missing.map((pool) => ({ to: manager, data: encodePool(pool, tokens) })),
  ])
  return contracts
}

const installRouter = async (chain: LocalChain, router: Address, factory: Address): Promise<void> => {
  if (await hasCode(chain, router)) return
  const { abi, creationCode } = readCompiledContract('SwapRouter')
  const data = encodeDeployData({ abi, bytecode: creationCode, args: [factory] })
  await installContract(chain, router, { code: await findRuntimeCode(chain, data) })
}

const readPeriphery = (name: string): Hex =>
  readArtifact(`@uniswap/v3-periphery/artifacts/contracts/${name}.sol/${name}.json`).bytecode

/**
 * The factory's code contains its own address, to refuse delegate calls: the address of the trial creation is replaced.
 * Storage: 3 owner, 4 fee → tick spacing.
 */
const installFactory = async (chain: LocalChain, factory: Address): Promise<void> => {
  if (await hasCode(chain, factory)) return
  const { bytecode } = readArtifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json')
  const code = await findRuntimeCode(chain, bytecode)
  const nonce = BigInt(await chain.getTransactionCount({ address: provider }))
  const trial = getContractAddress({ from: provider, nonce }).toLowerCase()
  const parts = code.split(trial.slice(2))
  if (parts.length === 1) throw new Error('the code of the factory lacks its own address')
  const spacings = Object.entries(tickSpacings).map(([fee, spacing]) => [
    toMappingSlot(BigInt(fee), 4n),
    numberToHex(spacing, { size: 32 }),
  ])
  await installContract(chain, factory, {
    code: parts.join(factory.slice(2)) as Hex,
    storage: { '0x3': pad(provider), ...Object.fromEntries(spacings) },
  })
}

const findMissing = async (chain: LocalChain, factory: Address, tokens: PoolTokens): Promise<typeof pools> => {
  const found = await Promise.all(
    pools.map(async ({ symbols, fee }) => {
      const args = [tokens[symbols[0]].address, tokens[symbols[1]].address, fee] as const
      const pool = await chain.readContract({ address: factory, abi: factoryAbi, functionName: 'getPool', args })
      if (pool === zeroAddress) return false
      return (await chain.readContract({ address: pool, abi: poolAbi, functionName: 'liquidity' })) > 0n
    }),
  )
  return pools.filter((_, i) => !found[i])
}

/** One call that creates a pool at the price of its amounts, and its positions: half of the amounts each. */
const encodePool = ({ symbols, fee, amounts, widths }: (typeof pools)[number], tokens: PoolTokens): Hex => {
  const [side0, side1] = symbols
    .map((symbol, i) => ({
      token: tokens[symbol].address,
      amount: parseUnits(amounts[i] ?? '0', tokens[symbol].decimals),
    }))
    .sort((a, b) => (a.token < b.token ? -1 : 1))
  if (!side0 || !side1) throw new Error('a pool has two tokens')
  const sqrtPrice = squareRoot((side1.amount << 192n) / side0.amount)
  const spacing = tickSpacings[fee] ?? 1
  const tick = Math.round(Math.log(Number(side1.amount) / Number(side0.amount)) / Math.log(1.0001) / spacing) * spacing
  const pair = { token0: side0.token, token1: side1.token, fee }
  const create = encodeFunctionData({
    abi: managerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [pair.token0, pair.token1, fee, sqrtPrice],
  })
  const mints = widths.map((width) =>
    encodeFunctionData({
      abi: managerAbi,
      functionName: 'mint',
      args: [
        {
          ...pair,
          tickLower: tick - width,
          tickUpper: tick + width,
          amount0Desired: side0.amount / 2n,
          amount1Desired: side1.amount / 2n,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: provider,
          deadline: maxUint256,
        },
      ],
    }),
  )
  return encodeFunctionData({ abi: managerAbi, functionName: 'multicall', args: [[create, ...mints]] })
}

/** Sends transactions one after the other without waiting for each. */
const sendAll = async (
  chain: LocalChain,
  transactions: readonly { to: Address; data?: Hex; value?: bigint }[],
): Promise<void> => {
  const hashes: Hex[] = []
  for (const transaction of transactions)
    hashes.push(await chain.sendTransaction({ account: provider, gas, ...transaction }))
  const receipts = await Promise.all(hashes.map((hash) => waitForReceipt(chain, hash)))
  receipts.forEach(({ status }, i) => {
    if (status !== 'success') throw new Error(`transaction to ${transactions[i]?.to} for the V3 pools reverted`)
  })
}
