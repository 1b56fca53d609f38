import { z } from 'zod'
import { networkUrlsSchema } from '#shared/networks/networkSettings.ts'
import { VERSION } from '#shared/settings/connectionSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import { apiKeysSchema } from './limits/connectApiKeys.ts'

/** The environment of the gateway, beside its service bindings and rate limiters, which it finds by their names. */
export const settingsSchema = z.object({
  VERSION,
  CACHE: setting(z.enum(['platform', 'memory', 'off']).catch('memory'), {
    description: "response cache: `platform` in front of the gateway, the Worker's `memory`, or `off`",
    scope: 'configuration',
    default: 'memory',
  }),
  API_KEYS: setting(apiKeysSchema, {
    description: 'tiers of API keys: `{"<SHA-256 of a key in hex>":"partner"}`',
    scope: 'shared',
    secret: true,
    absent: 'the general limits for all clients',
  }),
  RATE_LIMITS: setting(z.string(), {
    description: 'limit and period of each rate limiter, a JSON object built from the bindings in wrangler.toml',
    scope: 'deployment',
    absent: 'no rate limits',
  }),
  CLIENT_ADDRESS_HEADER: setting(z.string(), {
    description: "header with the client's address, set by the proxy in front",
    scope: 'configuration',
    absent: 'all clients share one key',
  }),
  REQUEST_LOG_SHARE: setting(z.coerce.number().min(0).max(1), {
    description:
      'share of the requests with a line in the log, from 0 to 1; refused and failed ones (status 400 or more, but 404), and those of a second or more, always have one',
    scope: 'shared',
    default: '1',
  }),
  PUBLIC_RPC_URLS: setting(networkUrlsSchema, {
    description:
      "JSON-RPC node of each network for visitors' wallets, which `GET /` publishes: one without a key, not that of `RPC_URL`; a JSON object",
    scope: 'shared',
    absent: 'visitors whose wallets lack the network add it by hand',
  }),
  LOCAL_RPC_URLS: setting(z.string(), {
    description: 'nodes with unlocked accounts, by network; a JSON object',
    scope: 'local',
    absent: 'no local chains',
  }),
})
