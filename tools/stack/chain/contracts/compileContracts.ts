import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { URL } from 'node:url'
import { Worker } from 'node:worker_threads'
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

/** `contracts`: what a stack deploys; `contracts/test`: what only tests deploy, twice as much to compile */
export type ContractsFolder = 'contracts' | 'contracts/test'

/**
 * Compiles all contracts in a folder; cached under `node_modules/.cache/edgebook` until a source, the compiler or a
 * setting changes. A contract has the name of its file. Immutables of `runtimeCode` are zero.
 * @throws Error with the compiler's message
 */
export const compileContracts = (folder: ContractsFolder): Record<string, CompiledContract> => {
  const sources = readSources(folder)
  const file = findCacheFile(sources)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const compiled = compile(sources)
    keep(file, compiled)
    return compiled
  }
}

/**
 * Compiles a folder in another thread when the cache lacks it: the compiler blocks its thread for seconds.
 * @throws Error with the compiler's message
 */
export const compileAside = async (folder: ContractsFolder): Promise<void> => {
  if (existsSync(findCacheFile(readSources(folder)))) return
  const thread = new Worker(new URL('compileFolder.ts', import.meta.url), { workerData: folder })
  await once(thread, 'exit')
}

type Sources = Record<string, { content: string }>

const findCacheFile = (sources: Sources): string => {
  const packages = ['solc', '@openzeppelin/contracts'].map((name) => require(`${name}/package.json`).version)
  const key = createHash('sha256').update(JSON.stringify({ sources, settings, packages })).digest('hex')
  return join(cacheFolder, `contracts-${key.slice(0, 32)}.json`)
}

const readSources = (folder: ContractsFolder): Sources =>
  Object.fromEntries(
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.sol'))
      .sort()
      .map((name) => [`${folder}/${name}`, { content: readFileSync(join(root, folder, name), 'utf8') }]),
  )

const compile = (sources: Sources): Record<string, CompiledContract> => {
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

/** Several processes may compile at once: each writes its own file, and the last one wins. */
const keep = (file: string, compiled: Record<string, CompiledContract>): void => {
  mkdirSync(cacheFolder, { recursive: true })
  const own = `${file}.${randomUUID()}`
  writeFileSync(own, JSON.stringify(compiled))
  renameSync(own, file)
}
