import type { StackInfo } from '#tools/stack/stackInfo.ts'
import type { DebugReport } from '../../../functions/debug/report/toDebugReport.ts'

/** Auctions of a filled order, from the first one that listed it up to the one that filled it; of several fills the first. */
export const countAuctionsToFill = async ({ baseUrl, network }: StackInfo, uid: string): Promise<number> => {
  const response = await fetch(`${baseUrl}/${network}/api/v1/debug/order/${uid}`)
  const { listedAuctions, trades } = (await response.json()) as DebugReport
  const filledBy = trades[0]?.auctionId
  if (!listedAuctions || filledBy === undefined) throw new Error(`no auction filled ${uid}`)
  return filledBy - listedAuctions.first + 1
}
