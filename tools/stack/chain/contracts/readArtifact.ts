import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isHex } from 'viem'
import { z } from 'zod'

const require = createRequire(import.meta.url)

const hex = z
  .string()
  .transform((text) => (text.startsWith('0x') ? text : `0x${text}`))
  .refine((text) => isHex(text))
const artifact = z.object({ bytecode: hex, deployedBytecode: hex })

/** Compiled contract of an installed package; compilers store the runtime code in different fields. */
export const readArtifact = (path: string): z.infer<typeof artifact> => {
  const json = JSON.parse(readFileSync(require.resolve(path), 'utf8'))
  return artifact.parse({ ...json, deployedBytecode: json.deployedBytecode ?? json.evm?.deployedBytecode?.object })
}
