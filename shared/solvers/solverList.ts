import type { Address } from 'viem'
import { z } from 'zod'
import { sendInTurn } from '../connections/connectionLimit.ts'
import { addressSchema } from '../validation/chainValues.ts'
import { jsonTextSchema } from '../validation/settingFormats.ts'

/** Optional capabilities of a driver; orders that need one are hidden from drivers without it. */
export const solverFeatures = ['flashloans', 'signedFees', 'wrappers'] as const
export type SolverFeature = (typeof solverFeatures)[number]

/**
 * Base URL of a driver or an engine, to which paths are appended: without credentials, query and fragment. Slashes at its end are
 * removed.
 */
export const solverUrlSchema = z
  .url({ protocol: /^https?$/, error: 'an http or https URL', abort: true })
  .refine((url) => {
    const { username, password, search, hash } = new URL(url)
    return [username, password, search, hash].every((part) => part === '')
  }, 'a URL without credentials, query or fragment: paths are appended to it')
  .transform((url) => url.replace(/[/?#]+$/, ''))

const solverSchema = z
  .object({
    /** names the solver in logs and in the solver competition */
    name: z.string().min(1).max(64),
    /** account that sends its settlements, allow-listed by the protocol */
    address: addressSchema,
    /** name of a service binding to a Worker that speaks the driver API */
    binding: z.string().optional(),
    /** base URL of a driver */
    url: solverUrlSchema.optional(),
    /** time limit for this solver's responses, milliseconds; never longer than the caller's deadline */
    timeoutMs: z.number().int().positive().optional(),
    /** capabilities of its driver; none by default */
    supports: z.array(z.enum(solverFeatures)).optional(),
    /** receives the changes since the auction that it responded to last, instead of all orders; no by default */
    deltas: z.boolean().optional(),
  })
  .refine((solver) => (solver.binding === undefined) !== (solver.url === undefined), 'give either binding or url')

/** A solver entry of the settings. */
export type SolverEntry = z.infer<typeof solverSchema>

/** A connected solver: `fetch` reaches its driver, `baseUrl` prefixes every path. */
export type Solver = {
  name: string
  address: Address
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  timeoutMs: number | undefined
  supports?: ReadonlySet<SolverFeature>
  takesDeltas?: boolean
}

/** The setting `SOLVERS`: a JSON array of solvers with distinct names and addresses. */
export const solverListSchema = jsonTextSchema
  .pipe(z.array(solverSchema))
  .refine((solvers) => new Set(solvers.map((solver) => solver.name)).size === solvers.length, 'names must differ')
  .refine(
    (solvers) => new Set(solvers.map((solver) => solver.address)).size === solvers.length,
    'addresses must differ',
  )

/**
 * Connects the configured solvers.
 * @throws Error naming the service binding that the Worker lacks
 */
export const connectSolvers = (entries: SolverEntry[], env: Record<string, unknown>): Solver[] =>
  entries.map(({ name, address, binding, url, ...entry }) => {
    const solver = {
      ...{ name, address, timeoutMs: entry.timeoutMs },
      ...{ supports: new Set(entry.supports), takesDeltas: entry.deltas ?? false },
    }
    if (url !== undefined) return { ...solver, baseUrl: url, fetch: inTurn((request) => fetch(request)) }
    const service = env[binding ?? ''] as Pick<Solver, 'fetch'> | undefined
    if (!service) throw new Error(`solver ${name}: service binding ${binding} is missing`)
    return { ...solver, baseUrl: `http://${name}`, fetch: inTurn((request) => service.fetch(request)) }
  })

/** A request to a service binding counts like any other. */
const inTurn =
  (send: Solver['fetch']): Solver['fetch'] =>
  (request) =>
    sendInTurn('other', () => send(request), request.signal)
