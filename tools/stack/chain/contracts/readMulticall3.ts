import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Hex, hexToNumber, size, slice } from 'viem'

const prologueBytes = 32
/** The prologue pushes the size of the runtime code with two bytes. */
const sizeAt = 19

/**
 * Code of Multicall3. viem carries it for deployless calls, outside its public entry points.
 * @throws Error when viem's code has another form
 */
export const readMulticall3 = (): { creationCode: Hex; runtimeCode: Hex } => {
  const require = createRequire(import.meta.url)
  const root = dirname(require.resolve('viem/package.json'))
  const { multicall3Bytecode: creationCode } = require(join(root, '_cjs/constants/contracts.js')) as Record<
    'multicall3Bytecode',
    Hex
  >
  const runtimeBytes = hexToNumber(slice(creationCode, sizeAt, sizeAt + 2))
  if (size(creationCode) !== prologueBytes + runtimeBytes) throw new Error("the code is not viem's of Multicall3")
  return { creationCode, runtimeCode: slice(creationCode, prologueBytes) }
}
