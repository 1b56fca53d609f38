import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Database } from '#schema/client.ts'
import {
  type SolverCompetitionFacts,
  selectLatestAuctionId,
  selectSettledAuctionId,
  selectSolverCompetition,
} from '#schema/queries/auctions/solverCompetition.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { hashInputSchema } from '#shared/validation/chainValues.ts'
import { completeCompetition } from '../archive/completeCompetition.ts'
import type { FindArchived } from '../archive/connectArchive.ts'
import { hasBearerToken } from '../hasBearerToken.ts'
import { auctionIdSchema } from './auctionId.ts'
import { isFinal } from './isFinal.ts'
import {
  solverCompetitionSchema,
  solverCompetitionV1Schema,
  toSolverCompetition,
  toSolverCompetitionV1,
} from './toSolverCompetition.ts'

export type SolverCompetitionDeps = {
  database: Database
  chainId: number
  /** blocks behind the head that are never replaced */
  finalBlocks: number
  /** whether competitions whose winners may still settle are visible on `/restricted` only */
  hideBeforeDeadline: boolean
  /** when set, `/restricted` requires it as a bearer token while anything is hidden */
  token: string | undefined
  archive: FindArchived
}

const v1 = {
  schema: solverCompetitionV1Schema,
  toResponse: (facts: SolverCompetitionFacts) => toSolverCompetitionV1(toSolverCompetition(facts)),
}
const v2 = { schema: solverCompetitionSchema, toResponse: toSolverCompetition }

/** Routes of each version: latest auction, auction of a settlement transaction, auction by id. */
const versions = [
  { names: ['getLatestCompetitionV1', 'getCompetitionByHashV1', 'getCompetitionV1'], ...v1, restricted: false },
  { names: ['getLatestCompetition', 'getCompetitionByHash', 'getCompetition'], ...v2, restricted: false },
  { names: ['getRestrictedLatest', 'getRestrictedByHash', 'getRestrictedCompetition'], ...v2, restricted: true },
] as const

type CompetitionName = (typeof versions)[number]['names'][number]

const competitionRoute = <Params extends z.ZodObject>(name: CompetitionName, schema: z.ZodType, params: Params) =>
  createRoute({
    ...endpoint(name),
    tags: ['Auctions'],
    summary: 'All solutions of one auction, worst first',
    request: { params },
    responses: {
      200: { description: 'the competition', content: { 'application/json': { schema: schema } } },
      ...errorResponses('InvalidParameter', 'Unauthorized', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
    },
  })

/** `GET /{network}/api/v{1,2}/solver_competition/…`: by auction id, by settlement transaction, or the latest. */
export const getSolverCompetition = (deps: SolverCompetitionDeps) => {
  const { database, chainId } = deps
  const app = createApp()
  for (const { names, schema, toResponse, restricted } of versions) {
    const onlyPast = deps.hideBeforeDeadline && !restricted
    const respond = async (c: Context, auctionId: number | null, cacheControl?: string) => {
      if (restricted && !mayRead(deps, c)) {
        c.header('WWW-Authenticate', 'Bearer')
        throw new ApiError('Unauthorized')
      }
      const stored =
        auctionId === null ? undefined : await selectSolverCompetition(database, chainId, auctionId, onlyPast)
      if (!stored) throw new ApiError('NotFound', { description: 'solver competition not found' })
      const facts = await completeCompetition(stored, deps.archive.competitions)
      c.header(
        'Cache-Control',
        cacheControl ??
          (isFinal(facts, deps.finalBlocks) && !restricted ? cachePolicies.finalCompetition : cachePolicies.live),
      )
      return c.json(toResponse(facts), 200)
    }
    const [latest, byHash, byId] = names
    app.openapi(competitionRoute(latest, schema, z.object({})), async (c) =>
      respond(c, await selectLatestAuctionId(database, chainId, onlyPast), cachePolicies.live),
    )
    app.openapi(competitionRoute(byHash, schema, z.object({ tx_hash: hashInputSchema })), async (c) =>
      respond(c, await selectSettledAuctionId(database, chainId, c.req.valid('param').tx_hash)),
    )
    app.openapi(competitionRoute(byId, schema, z.object({ auction_id: auctionIdSchema })), async (c) =>
      respond(c, c.req.valid('param').auction_id),
    )
  }
  return app
}

const mayRead = ({ hideBeforeDeadline, token }: SolverCompetitionDeps, c: Context): boolean =>
  !hideBeforeDeadline || token === undefined || hasBearerToken(c.req.header('Authorization'), token)
