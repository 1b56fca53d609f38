import { compileAside } from '#tools/stack/chain/contracts/compileContracts.ts'
import { findPackedDatabase } from '#tools/stack/database/findPackedDatabase.ts'

/** Global setup: what several workers would each build at once, when nothing is cached yet. */
export const setup = async (): Promise<void> => {
  await Promise.all([findPackedDatabase(), compileAside('contracts'), compileAside('contracts/test')])
}
