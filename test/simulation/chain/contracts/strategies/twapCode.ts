import { type Address, type Hex, keccak256, toHex } from 'viem'
import { readTwap, type Twap } from '#shared/strategies/twap.ts'
import { defineContract } from '../../defineContract.ts'
import { type Code, type Frame, Revert } from '../../machine.ts'
import { type EncodedOrder, fail, handlerAbi, hashEncoded } from './composableCowCode.ts'

const [sellKind, erc20Balance] = ['sell', 'erc20'].map((text) => keccak256(toHex(text))) as [Hex, Hex]
const maxTime = 2n ** 32n - 1n
const maxPeriod = 365n * 86_400n

/** Start and end of the part at a time, Unix seconds; ends the call as the handler does without one. */
const findPart = ({ t0, n, t, span }: Twap, now: bigint): { from: bigint; validTo: bigint } => {
  if (now < t0) return fail('PollTryAtEpoch', [t0, 'before twap start'])
  const part = (now - t0) / t
  if (part >= n) return fail('PollNever', ['after twap finish'])
  const from = t0 + part * t
  if (span === 0n) return { from, validTo: from + t - 1n }
  if (now < from + span) return { from, validTo: from + span - 1n }
  return part + 1n === n
    ? fail('PollNever', ['after twap finish'])
    : fail('PollTryAtEpoch', [from + t, 'not within span'])
}

const check = (data: Twap): void => {
  const { sellToken, buyToken, partSellAmount, minPartLimit, t0, n, t, span } = data
  if (sellToken === buyToken) fail('OrderNotValid', ['same token'])
  if (BigInt(sellToken) === 0n || BigInt(buyToken) === 0n) fail('OrderNotValid', ['invalid token'])
  if (partSellAmount === 0n) fail('OrderNotValid', ['invalid part sell amount'])
  if (minPartLimit === 0n) fail('OrderNotValid', ['invalid min part limit'])
  if (t0 >= maxTime) fail('OrderNotValid', ['invalid start time'])
  if (n < 2n || n > maxTime) fail('OrderNotValid', ['invalid num parts'])
  if (t === 0n || t > maxPeriod) fail('OrderNotValid', ['invalid frequency'])
  if (span > t) fail('OrderNotValid', ['invalid span'])
}

/** Ends the call as the handler does with a malformed one. */
export const decodeTwapInput = (staticInput: Hex): Twap => {
  const twap = readTwap(staticInput)
  if (!twap) throw new Revert('0x')
  return twap
}

const findOrder = (frame: Frame, staticInput: Hex): EncodedOrder => {
  frame.charge(30_000n)
  const data = decodeTwapInput(staticInput)
  check(data)
  return {
    ...{ sellToken: data.sellToken, buyToken: data.buyToken, receiver: data.receiver },
    ...{ sellAmount: data.partSellAmount, buyAmount: data.minPartLimit },
    validTo: Number(findPart(data, BigInt(frame.block.timestamp)).validTo),
    ...{ appData: data.appData, feeAmount: 0n, kind: sellKind, partiallyFillable: false },
    ...{ sellTokenBalance: erc20Balance, buyTokenBalance: erc20Balance },
  }
}

/** `contracts/Twap.sol` without starts in the registry's cabinet. */
export const createTwapCode = (): Code =>
  defineContract(handlerAbi, {
    supportsInterface: (_, id: Hex) => id === '0xb8296fc4' || id === '0x01ffc9a7',
    getTradeableOrder: (frame, _owner: Address, _sender: Address, _context: Hex, staticInput: Hex) =>
      findOrder(frame, staticInput),
    verify: (
      frame,
      _owner: Address,
      _sender: Address,
      orderHash: Hex,
      separator: Hex,
      _context: Hex,
      staticInput: Hex,
    ) => {
      if (hashEncoded(findOrder(frame, staticInput), separator) !== orderHash) fail('OrderNotValid', ['invalid hash'])
    },
  })
