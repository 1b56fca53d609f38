import { type Address, type Hex, toHex } from 'viem'
import type { Holder } from './holderSource.ts'

/** The used part of a Durable Object's SQL storage. Statements without an `await` between them are one transaction. */
export type HolderSql = {
  exec: (query: string, ...values: (string | number)[]) => { toArray: () => Record<string, unknown>[] }
}

/** A block up to which data was read. */
export type Checkpoint = { number: number; hash: Hex }

/** Maximum runs that can be rewound; without a common block the index starts again. */
const storedCheckpoints = 32

/** Balances are 64 hex digits, so that text order is numeric order. */
const toText = (balance: bigint): string => toHex(balance, { size: 32 }).slice(2)
const zero = toText(0n)

/**
 * Possible holders of one token, in a Durable Object's storage: addresses come from logs (`due` until their balance is
 * read), balances from the token contract.
 */
export const openHolderStore = (sql: HolderSql) => {
  for (const statement of [
    `create table if not exists holders (
      id integer primary key,
      address text not null unique,
      balance text not null default '${zero}',
      read_at integer not null default -1,
      due integer not null default 1
    )`,
    'create index if not exists holders_by_balance on holders (balance desc, address)',
    'create index if not exists holders_by_read on holders (read_at)',
    'create index if not exists holders_due on holders (id) where due = 1',
    'create table if not exists checkpoints (number integer primary key, hash text not null)',
    'create table if not exists progress (id integer primary key check (id = 1), indexed integer not null)',
  ])
    sql.exec(statement)

  const saveCheckpoint = ({ number, hash }: Checkpoint): void => {
    sql.exec('insert or replace into checkpoints (number, hash) values (?, ?)', number, hash)
    sql.exec(
      'delete from checkpoints where number not in (select number from checkpoints order by number desc limit ?)',
      storedCheckpoints,
    )
  }

  return {
    /** The last block whose logs were read; undefined before the first. */
    findIndexed: (): number | undefined => {
      const [row] = sql.exec('select indexed from progress').toArray()
      return row && Number(row.indexed)
    },

    /** Newest first. */
    findCheckpoints: (): Checkpoint[] =>
      sql
        .exec('select number, hash from checkpoints order by number desc')
        .toArray()
        .map(({ number, hash }) => ({ number: Number(number), hash: String(hash) as Hex })),

    /** Upper bound of the number of stored accounts. */
    countNamed: (): number => Number(sql.exec('select max(id) as count from holders').toArray()[0]?.count ?? 0),

    /** Accounts named in logs up to `indexed`, on the chain of `head`. */
    saveNamed(addresses: readonly Address[], indexed: number, head: Checkpoint): void {
      sql.exec(
        `insert into holders (address) select value from json_each(?) where true
         on conflict (address) do update set due = 1`,
        JSON.stringify(addresses),
      )
      sql.exec(
        'insert into progress (id, indexed) values (1, ?) on conflict (id) do update set indexed = excluded.indexed',
        indexed,
      )
      saveCheckpoint(head)
    },

    /**
     * Accounts whose balance must be read at block `head`: those mentioned in logs since their last read, and always
     * the `shown` largest, because some tokens change balances without events.
     */
    findDue: (head: number, shown: number, limit: number): Address[] =>
      sql
        .exec(
          `select address from (select address from holders where due = 1 limit ?)
           union
           select address from (
             select address, read_at from holders where balance > '${zero}' order by balance desc, address limit ?
           ) where read_at < ?
           limit ?`,
          limit,
          shown,
          head,
          limit,
        )
        .toArray()
        .map(({ address }) => String(address) as Address),

    saveBalances(balances: readonly Holder[], head: Checkpoint): void {
      const rows = balances.map(({ address, balance }) => ({ address, balance: toText(balance) }))
      sql.exec(
        `update holders set due = 0, read_at = ?, balance = row.value ->> 'balance'
         from json_each(?) as row where holders.address = row.value ->> 'address'`,
        head.number,
        JSON.stringify(rows),
      )
      saveCheckpoint(head)
    },

    /** Rewinds to a block: later logs are read again, and balances read later are due again. */
    rewind(number: number): void {
      sql.exec('update holders set due = 1 where read_at > ?', number)
      sql.exec('update progress set indexed = min(indexed, ?)', number)
      sql.exec('delete from checkpoints where number > ?', number)
    },

    clear(): void {
      for (const table of ['holders', 'progress', 'checkpoints']) sql.exec(`delete from ${table}`)
    },

    /** Removes empty accounts once no rewind can restore them. */
    prune(): void {
      sql.exec(
        `delete from holders where balance = '${zero}' and due = 0 and read_at < (select min(number) from checkpoints)`,
      )
    },

    /** The largest holders by balance, descending, then by address. */
    findLargest: (limit: number): Holder[] =>
      sql
        .exec(
          `select address, balance from holders where balance > '${zero}' order by balance desc, address limit ?`,
          limit,
        )
        .toArray()
        .map(({ address, balance }) => ({ address: String(address) as Address, balance: BigInt(`0x${balance}`) })),
  }
}

export type HolderStore = ReturnType<typeof openHolderStore>
