import type { SqlBackend } from './sqlBackend.ts'

/**
 * Binds a database to its chains: it stores the hashes of their first blocks.
 * @throws Error when either was lost or replaced
 */
export const checkSameChain = async (
  backend: SqlBackend,
  chain: { firstBlock: string; isNew: boolean },
): Promise<void> => {
  const run = (query: string, params: string[] = []) => backend.run({ query, params })
  await run('create schema if not exists local_stack')
  await run('create table if not exists local_stack.chain (first_block text primary key)')
  const [[known] = []] = (await run('select first_block from local_stack.chain')).rows
  if (known === chain.firstBlock) return
  if (known && chain.isNew) throw new Error(`the chain of this stack is lost, its database is not: ${advice}`)
  if (known) throw new Error(`the database belongs to another chain than the one of this stack: ${advice}`)
  if (!chain.isNew) throw new Error(`the database of this stack is lost, its chain is not: ${advice}`)
  await run('insert into local_stack.chain values ($1)', [chain.firstBlock])
}

const advice = 'start over with --fresh'
