import '#shared/http/describeIssue.ts'

import type { Address } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { solverFeatures, solverUrlSchema } from '#shared/solvers/solverList.ts'
import { addressSchema, hashSchema } from '#shared/validation/chainValues.ts'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'
import { solverKeyName } from '../settings/settingsTable.ts'
import type { SolverDeployment } from '../workers/networkDeployment.ts'
import { toSolverVars } from '../workers/toSolverVars.ts'
import type { Settings } from './readSettings.ts'

/** Part of a Worker's name. */
const nameSchema = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/, 'lower-case letters, digits and hyphens')

const solversSchema = jsonTextSchema.pipe(
  z
    .array(
      z.union([
        z.strictObject({ name: nameSchema, strategy: z.enum(['direct', 'multihop']) }),
        z.strictObject({ name: nameSchema, engine: solverUrlSchema }),
        z.strictObject({
          name: nameSchema,
          address: addressSchema,
          url: solverUrlSchema,
          timeoutMs: z.number().int().positive().optional(),
          supports: z.array(z.enum(solverFeatures)).optional(),
          deltas: z.boolean().optional(),
        }),
      ]),
    )
    .refine((solvers) => new Set(solvers.map(({ name }) => name)).size === solvers.length, 'names must differ'),
)

/** Account of a solver without a key, different for each, so that the rest of a configuration can be checked. */
const toPlaceholder = (index: number): Address => `0x${String(index).padStart(40, '0')}`

/**
 * Solvers of a network: `SOLVERS`, and the key of each local one or engine, which determines its account.
 * @returns the solvers, and the faults found: setting and description
 */
export const readSolverDeployments = (
  settings: Settings,
): { solvers: SolverDeployment[]; faults: { setting: string; fault: string }[] } => {
  const parsed = solversSchema.safeParse(settings.SOLVERS ?? '[]')
  if (!parsed.success) return { solvers: [], faults: [{ setting: 'SOLVERS', fault: describe(parsed.error) }] }
  const faults: { setting: string; fault: string }[] = []
  const solvers = parsed.data.map((solver, index): SolverDeployment => {
    if ('url' in solver) return solver
    const setting = solverKeyName(solver.name)
    const key = hashSchema.safeParse(settings[setting])
    if (!settings[setting]) faults.push({ setting, fault: 'missing' })
    else if (!key.success) faults.push({ setting, fault: 'not a private key: 0x and 64 hexadecimal digits' })
    const address = key.success ? toAddress(key.data) : undefined
    if (key.success && !address) faults.push({ setting, fault: 'not a secp256k1 private key' })
    return {
      name: solver.name,
      address: address ?? toPlaceholder(index),
      vars: { ...toSolverVars(solver), ...(key.success ? { SOLVER_PRIVATE_KEY: key.data } : {}) },
    }
  })
  if (new Set(solvers.map(({ address }) => address)).size < solvers.length)
    faults.push({ setting: 'SOLVERS', fault: 'two solvers have the same account; each needs its own key' })
  return { solvers, faults }
}

const toAddress = (key: `0x${string}`): Address | undefined => {
  try {
    return privateKeyToAddress(key).toLowerCase() as Address
  } catch {
    return undefined
  }
}

/** Of a solver that fits no shape, the fault in the shape that it fits best. */
const describe = ({ issues }: z.ZodError): string => {
  const nearest = issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue]
    const [fewest = []] = issue.errors.toSorted((a, b) => a.length - b.length)
    return fewest.map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }))
  })
  const placed = nearest.map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    return { ...issue, path: [...issue.path, ...unknown] }
  })
  return z.prettifyError({ issues: placed }).replaceAll(/\s+/g, ' ').slice(0, 300)
}
