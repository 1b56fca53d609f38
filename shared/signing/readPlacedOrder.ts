import type { Address, Hex } from 'viem'
import type { Order } from './order.ts'

/** An order as contracts have it (`GPv2Order.Data`), with hashes for kind and balances. */
export type PlacedOrder = Omit<Order, 'appDataHash' | 'kind' | 'sellTokenBalance' | 'buyTokenBalance'> &
  Record<'appData' | 'kind' | 'sellTokenBalance' | 'buyTokenBalance', Hex>

/** keccak-256 of the enum names, as in the signed struct */
const kinds = new Map<Hex, Order['kind']>([
  ['0xf3b277728b3fee749481eb3e0b3b48980dbbab78658fc419025cb16eee346775', 'sell'],
  ['0x6ed88e868af0a1983e3886d5f3e95a2fafbd6c3450bc229e27342283dc429ccc', 'buy'],
])

const balances = new Map<Hex, Order['sellTokenBalance']>([
  ['0x5a28e9363bb942b639270062aa6bb295f434bcdfc42c97267bf003f272060dc9', 'erc20'],
  ['0xabee3b73373acd583a130924aad6dc38cfdc44ba0555ba94ce2ff63980ea0632', 'external'],
  ['0x4ac99ace14ee0a5ef932dc609df0943ab7ac16b7583634612f8dc35a4289a6ce', 'internal'],
])

/** The order of a contract; undefined for an unknown enum value. */
export const readPlacedOrder = (signed: PlacedOrder): Order | undefined => {
  const kind = kinds.get(signed.kind)
  const sellTokenBalance = balances.get(signed.sellTokenBalance)
  const buyTokenBalance = balances.get(signed.buyTokenBalance)
  if (!kind || !sellTokenBalance || !buyTokenBalance || buyTokenBalance === 'external') return undefined
  return {
    sellToken: toLower(signed.sellToken),
    buyToken: toLower(signed.buyToken),
    receiver: toLower(signed.receiver),
    sellAmount: signed.sellAmount,
    buyAmount: signed.buyAmount,
    validTo: signed.validTo,
    appDataHash: signed.appData,
    feeAmount: signed.feeAmount,
    kind,
    partiallyFillable: signed.partiallyFillable,
    sellTokenBalance,
    buyTokenBalance,
  }
}

const toLower = (address: Address): Address => address.toLowerCase() as Address
