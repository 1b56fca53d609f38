import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { z } from 'zod'
import { cacheFolder } from '../../../cache/cacheFolder.ts'

export type CompiledContract = { abi: Abi; creationCode: Hex; runtimeCode: Hex }

const root = join(import.meta.dirname, '../../../..')
const require = createRequire(import.meta.url)

/** Complete compiler settings, so that the same sources give the same bytes on every machine. */
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const

const bytesSchema = z.object({ object: z.string() })
const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.custom<Abi>(Array.isArray),
          evm: z.object({ bytecode: bytesSchema, deployedBytecode: bytesSchema }),
        }),
      ),
    )
    .default({}),
})

/**
 * Compiles all contracts in `contracts/`; cached under `node_modules/.cache/edgebook` until a source, the compiler or a
 * setting changes. A contract has the name of its file. Immutables of `runtimeCode` are zero.
 * @throws Error with the compiler's message
 */
export const compileContracts = (): Record<string, CompiledContract> => {
  const sources = readSources()
  const packages = ['solc', '@openzeppelin/contracts'].map((name) => require(`${name}/package.json`).version)
  const key = createHash('sha256').update(JSON.stringify({ sources, settings, packages })).digest('hex')
  const file = join(cacheFolder, `contracts-${key.slice(0, 32)}.json`)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const compiled = compile(sources)
    keep(file, compiled)
    return compiled
  }
}

const readSources = (): Record<string, { content: string }> =>
  Object.fromEntries(
    readdirSync(join(root, 'contracts'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.sol'))
      .sort()
      .map((path) => [`contracts/${path}`, { content: readFileSync(join(root, 'contracts', path), 'utf8') }]),
  )

const compile = (sources: Record<string, { content: string }>): Record<string, CompiledContract> => {
  // loaded on demand, because loading takes a second
  const solc = require('solc')
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const { errors, contracts } = outputSchema.parse(JSON.parse(solc.compile(input, { import: readPackageFile })))
  const failures = errors.filter(({ severity }) => severity === 'error')
  if (failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.keys(sources).flatMap((path) => {
      const name = basename(path, '.sol')
      const contract = contracts[path]?.[name]
      if (!contract) throw new Error(`${path} has no contract ${name}`)
      const { abi, evm } = contract
      const compiled = { abi, creationCode: toHex(evm.bytecode), runtimeCode: toHex(evm.deployedBytecode) }
      return [[name, compiled]]
    }),
  )
}

const toHex = ({ object }: { object: string }): Hex => `0x${object}`

/** Sources may import those of installed packages. */
const readPackageFile = (path: string): { contents: string } | { error: string } => {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch {
    return { error: `${path} is in no installed package` }
  }
}

/** Several processes may compile at once: each writes its own file, and the last one stays. */
const keep = (file: string, compiled: Record<string, CompiledContract>): void => {
  mkdirSync(cacheFolder, { recursive: true })
  const own = `${file}.${randomUUID()}`
  writeFileSync(own, JSON.stringify(compiled))
  renameSync(own, file)
}
