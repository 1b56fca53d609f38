import type { components } from '../../api/openapi.d.ts'
import type { Order } from '../../order/loading/loadOrder.ts'
import type { Token } from '../../tokens/tokenBook.ts'
import { formatExact } from '../../ui/formatExact.ts'

export type AccountTrade = components['schemas']['NetworkTrade']

/** A token by its address, as far as it is known. */
export type FindToken = (address: string) => Pick<Token, 'symbol' | 'decimals'> | undefined

type Column<Row> = readonly [name: string, read: (row: Row, find: FindToken) => string]

/** An amount in whole tokens with all digits; empty for a token without known decimals. */
const toTokens = (atoms: string, token: ReturnType<FindToken>): string =>
  token?.decimals === undefined ? '' : formatExact(atoms, token.decimals)

const toTime = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** Columns of a token: address, symbol, and amounts in whole tokens and in atoms. */
const tokenColumns = <Row>(
  name: 'sell' | 'buy',
  addressOf: (row: Row) => string,
  amounts: readonly (readonly [name: string, read: (row: Row) => string])[],
): Column<Row>[] => [
  [`${name}Token`, addressOf],
  [`${name}Symbol`, (row, find) => find(addressOf(row))?.symbol ?? ''],
  ...amounts.flatMap(([amount, read]): Column<Row>[] => [
    [amount, (row, find) => toTokens(read(row), find(addressOf(row)))],
    [`${amount}Atoms`, read],
  ]),
]

export const orderColumns: readonly Column<Order>[] = [
  ['created', ({ creationDate }) => new Date(creationDate).toISOString()],
  ['uid', ({ uid }) => uid],
  ['status', ({ status }) => status],
  ['kind', ({ kind }) => kind],
  ...tokenColumns<Order>('sell', ({ sellToken }) => sellToken, [
    ['sellAmount', ({ sellAmount }) => sellAmount],
    ['executedSellAmount', ({ executedSellAmount }) => executedSellAmount],
  ]),
  ...tokenColumns<Order>('buy', ({ buyToken }) => buyToken, [
    ['buyAmount', ({ buyAmount }) => buyAmount],
    ['executedBuyAmount', ({ executedBuyAmount }) => executedBuyAmount],
  ]),
  ['partiallyFillable', ({ partiallyFillable }) => String(partiallyFillable)],
  ['validTo', ({ validTo }) => toTime(validTo)],
  ['owner', ({ owner }) => owner],
  ['receiver', ({ receiver, owner }) => receiver ?? owner],
]

export const tradeColumns: readonly Column<AccountTrade>[] = [
  ['time', ({ time }) => new Date(time).toISOString()],
  ['orderUid', ({ orderUid }) => orderUid],
  ['transaction', ({ txHash }) => txHash],
  ['block', ({ blockNumber }) => String(blockNumber)],
  ['auction', ({ auctionId }) => (auctionId === null ? '' : String(auctionId))],
  ...tokenColumns<AccountTrade>('sell', ({ sellToken }) => sellToken, [['sellAmount', ({ sellAmount }) => sellAmount]]),
  ...tokenColumns<AccountTrade>('buy', ({ buyToken }) => buyToken, [['buyAmount', ({ buyAmount }) => buyAmount]]),
  ['volumeWei', ({ volume }) => volume ?? ''],
  ['surplusWei', ({ surplus }) => surplus ?? ''],
  ['solver', ({ solver }) => solver],
  ['owner', ({ owner }) => owner],
]

/** @returns the cells of each row, in the order of the columns */
export const toCsvRows = <Row>(columns: readonly Column<Row>[], rows: readonly Row[], find: FindToken): string[][] =>
  rows.map((row) => columns.map(([, read]) => read(row, find)))
