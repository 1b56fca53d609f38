import type { Token } from '../../tokens/token.ts'
import { formatExact } from '../../ui/formatExact.ts'
import { computePrice } from '../../ui/ratio/computePrice.ts'
import { toPlainRatio } from '../../ui/ratio/formatRatio.ts'

/** A token by its address, as far as it is known. */
export type FindToken = (address: string) => Pick<Token, 'symbol' | 'decimals'> | undefined

export type CsvColumn<Row> = readonly [name: string, read: (row: Row, find: FindToken) => string]

/** An amount in whole tokens with all digits; empty for a token without known decimals. */
const toTokens = (atoms: string, token: ReturnType<FindToken>): string =>
  token?.decimals === undefined ? '' : formatExact(atoms, token.decimals)

/** Columns of a token: address, symbol, and amounts in whole tokens and in atoms. */
export const tokenColumns = <Row>(
  name: 'sell' | 'buy',
  addressOf: (row: Row) => string,
  amounts: readonly (readonly [name: string, read: (row: Row) => string])[],
): CsvColumn<Row>[] => [
  [`${name}Token`, addressOf],
  [`${name}Symbol`, (row, find) => find(addressOf(row))?.symbol ?? ''],
  ...amounts.flatMap(([amount, read]): CsvColumn<Row>[] => [
    [amount, (row, find) => toTokens(read(row), find(addressOf(row)))],
    [`${amount}Atoms`, read],
  ]),
]

/**
 * What was received for one whole sold token, in whole bought tokens after fees.
 * @param amountsOf sold and bought, atoms
 */
export const priceColumn = <Row extends { buyToken: string }>(
  soldOf: (row: Row) => string,
  amountsOf: (row: Row) => readonly [sold: string, bought: string],
): CsvColumn<Row> => [
  'price',
  (row, find) => {
    const [sell, buy] = [find(soldOf(row))?.decimals, find(row.buyToken)?.decimals]
    const [sold, bought] = amountsOf(row).map(BigInt) as [bigint, bigint]
    if (sell === undefined || buy === undefined || sold === 0n) return ''
    const ratio = computePrice({ sellAmount: sold, buyAmount: bought }, { sell, buy })
    return toPlainRatio(ratio, priceDigits)
  },
]

/** Significant digits. */
const priceDigits = 12

/**
 * All fees that the order paid, signed or in its price.
 * @param feeOf atoms of the sold token
 */
export const feeColumns = <Row>(soldOf: (row: Row) => string, feeOf: (row: Row) => string): CsvColumn<Row>[] => [
  ['fee', (row, find) => toTokens(feeOf(row), find(soldOf(row)))],
  ['feeAtoms', feeOf],
  ['feeToken', soldOf],
]
