import type { SolutionId } from '#shared/solvers/driverApi.ts'
import type { EngineNotice } from '../engine/engineApi.ts'
import type { SettlementSql } from './settlementStore.ts'
import type { SettlementFate } from './submission.ts'

/** number of newest solutions whose engine ids are stored */
const maxStored = 5_000

/**
 * The ids by which an engine knows its solutions, beside the submissions: text of the id, as JSON for numbers of any size and for
 * texts.
 */
export const openEngineFates = (sql: SettlementSql) => {
  sql.exec(`create table if not exists engine_solutions (
    solution_id integer primary key,
    auction_id text not null,
    engine_id text not null
  )`)
  return {
    insert(auctionId: string, solutionId: number, engineId: SolutionId): void {
      const text = typeof engineId === 'string' ? JSON.stringify(engineId) : String(engineId)
      sql.exec('insert into engine_solutions values (?, ?, ?)', solutionId, auctionId, text)
      sql.exec('delete from engine_solutions where solution_id <= ?', solutionId - maxStored)
    },
    find(solutionId: number): { auctionId: string; engineId: SolutionId } | undefined {
      const [row] = sql.exec('select * from engine_solutions where solution_id = ?', solutionId).toArray()
      return row && { auctionId: String(row.auction_id), engineId: readId(String(row.engine_id)) }
    },
  }
}

const readId = (text: string): SolutionId => {
  if (text.startsWith('"')) return JSON.parse(text) as string
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

/** The fate of a settlement in the vocabulary of engines. */
export const toFateNotice = (fate: SettlementFate | undefined): EngineNotice => {
  switch (fate?.kind) {
    case 'mined':
      return { kind: 'success', transaction: fate.hash }
    case 'reverted':
      return { kind: 'revert', transaction: fate.hash }
    case 'late':
      return { kind: 'expired' }
    case 'refused':
      return { kind: 'cancelled' }
    case undefined:
      return { kind: 'fail' }
  }
}
