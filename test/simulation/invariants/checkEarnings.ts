import type { Address, Hex } from 'viem'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { honestTokens, network, printedTokens } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** blocks before the cursor whose trades are compared again */
const windowBlocks = 3
/** Prices of an auction may be minutes old, and a trade moves the pools, 1/100 */
const marginPercent = 150n
/** Protocol fees take at most this part of a trade: 0.1 % of its volume, and of its gain at most 1 % */
const feePart = 50n

/**
 * What a trade counts for in rewards, statistics and ranks. A trade with oneself earns nothing: a printed token whose
 * market is thinner than an ether counts as nothing on either side, honest tokens count as the smaller side, and the
 * fees that bound the rewards are those that the trade paid.
 */
export const checkEarnings = async ({ chain, database }: World, cursor: number): Promise<void> => {
  const block = chain.blocks[cursor]
  if (!block) return
  const rows = await database.read(
    `select sell_token, buy_token, sell_amount, buy_amount, volume, surplus, protocol_fee, trader from trade_values
      where block_number >= $1`,
    [String(cursor - windowBlocks)],
  )
  const estimateValue = (token: Address, amount: bigint): bigint | undefined => {
    if (token === network.wrappedNative) return amount
    if (!honestTokens.some(({ address }) => address === token)) return undefined
    return estimateOutput(chain, block, token, network.wrappedNative, amount)
  }
  for (const row of rows) {
    const [sold, bought] = [toAddress(row.sell_token), toAddress(row.buy_token)]
    const [volume, surplus, fee] = [row.volume, row.surplus, row.protocol_fee].map((text) => BigInt(text ?? 0)) as [
      bigint,
      bigint,
      bigint,
    ]
    const traded = `the trade of ${row.sell_amount} ${sold} for ${row.buy_amount} ${bought} by ${row.trader}`
    const isPrinted = printedTokens.some(({ address }) => address === sold || address === bought)
    if (isPrinted && (volume > 0n || surplus > 0n))
      throw new Violation('earnings', `${traded} counts ${volume} wei of volume and ${surplus} of surplus`)
    const values = [
      estimateValue(sold, BigInt(row.sell_amount ?? 0)),
      estimateValue(bought, BigInt(row.buy_amount ?? 0)),
    ].filter((value) => value !== undefined)
    if (values.length === 0) continue
    const [least, most] = [values.reduce(minOf), values.reduce(maxOf)]
    if (volume * 100n > least * marginPercent)
      throw new Violation('earnings', `${traded} counts ${volume} wei, its smaller side is worth ${least}`)
    if (fee * feePart * 100n > most * marginPercent)
      throw new Violation('earnings', `${traded} counts ${fee} wei of fees, its larger side is worth ${most}`)
  }
}

const toAddress = (bytes: string | null | undefined): Hex => `0x${(bytes ?? '').replace(/^\\x/, '')}`
