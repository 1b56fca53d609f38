import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { defineContract } from '../defineContract.ts'
import { type Code, type Frame, require } from '../machine.ts'
import { tokenAbi } from './tokenCode.ts'

export const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
  'function sync()',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
])
const factoryAbi = parseAbi(['function getPair(address tokenA, address tokenB) view returns (address pair)'])
const concentratedFactoryAbi = parseAbi([
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)',
])

/** Keys of a pool's reserves, atoms. */
export const toReserveKey = (pool: Address, side: 0 | 1): string => `reserve ${pool} ${side}`

/** Reads a balance as a contract does. */
const readTokenBalance = (frame: Frame, token: Address, owner: Address): bigint => {
  const data = frame.callOrRevert(
    token,
    encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [owner] }),
  )
  return decodeFunctionResult({ abi: tokenAbi, functionName: 'balanceOf', data })
}

/** A constant-product pool with a fee of 0.3 %, as Uniswap V2's: `token0` has the lower address. */
export const createPoolCode = (token0: Address, token1: Address): Code => {
  const readReserves = ({ store, self }: Frame) =>
    [store.get(toReserveKey(self, 0)), store.get(toReserveKey(self, 1))] as const
  const update = (frame: Frame): readonly [bigint, bigint] => {
    const balances = [readTokenBalance(frame, token0, frame.self), readTokenBalance(frame, token1, frame.self)] as const
    frame.store.set(toReserveKey(frame.self, 0), balances[0])
    frame.store.set(toReserveKey(frame.self, 1), balances[1])
    return balances
  }
  const pay = (frame: Frame, token: Address, to: Address, amount: bigint): void => {
    if (amount === 0n) return
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
    const { succeeded, returnData } = frame.call(token, data)
    require(succeeded && isTrue(returnData), 'UniswapV2: TRANSFER_FAILED')
  }
  return defineContract(poolAbi, {
    token0: () => token0,
    token1: () => token1,
    getReserves: (frame) => {
      frame.charge(2_600n)
      return [...readReserves(frame), frame.block.timestamp]
    },
    sync: (frame) => {
      update(frame)
    },
    swap: (frame, out0: bigint, out1: bigint, to: Address) => {
      frame.charge(12_000n)
      require(out0 > 0n || out1 > 0n, 'UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT')
      const [reserve0, reserve1] = readReserves(frame)
      require(out0 < reserve0 && out1 < reserve1, 'UniswapV2: INSUFFICIENT_LIQUIDITY')
      pay(frame, token0, to, out0)
      pay(frame, token1, to, out1)
      const [balance0, balance1] = update(frame)
      const in0 = balance0 > reserve0 - out0 ? balance0 - (reserve0 - out0) : 0n
      const in1 = balance1 > reserve1 - out1 ? balance1 - (reserve1 - out1) : 0n
      require(in0 > 0n || in1 > 0n, 'UniswapV2: INSUFFICIENT_INPUT_AMOUNT')
      const adjusted = (balance0 * 1_000n - in0 * 3n) * (balance1 * 1_000n - in1 * 3n)
      require(adjusted >= reserve0 * reserve1 * 1_000_000n, 'UniswapV2: K')
    },
  })
}

const isTrue = (data: Hex): boolean => data === '0x' || BigInt(data) === 1n

/** Key of a pair in the factory's list. */
export const toPairName = (a: Address, b: Address): string => [a.toLowerCase(), b.toLowerCase()].sort().join()

/** The factory of the constant-product pools. */
export const createFactoryCode = (pools: ReadonlyMap<string, Address>): Code =>
  defineContract(factoryAbi, {
    getPair: (frame, a: Address, b: Address) => {
      frame.charge(2_600n)
      return pools.get(toPairName(a, b)) ?? zeroAddress
    },
  })

/** A factory of concentrated pools without any. */
export const createEmptyFactoryCode = (): Code =>
  defineContract(concentratedFactoryAbi, {
    getPool: (frame) => {
      frame.charge(2_600n)
      return zeroAddress
    },
  })

/** Output of a swap of a constant-product pool, atoms. */
export const computeSwapOutput = (amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint =>
  (amountIn * 997n * reserveOut) / (reserveIn * 1_000n + amountIn * 997n)
