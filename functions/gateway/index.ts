import { createEdgeCache } from './caching/createEdgeCache.ts'
import { type PlatformContext, respondOnPlatform } from './caching/respondOnPlatform.ts'
import { createGateway, type Gateway } from './createGateway.ts'
import { connectRateLimits } from './limits/rateLimits.ts'
import { connectLocalChains } from './local/connectLocalChains.ts'
import { connectAssets } from './pages/connectAssets.ts'
import { connectSharedWorkers } from './routing/connectSharedWorkers.ts'
import { connectWorkers } from './routing/connectWorkers.ts'
import { settingsSchema } from './settings.ts'

type HandleRequest = (request: Request, context: PlatformContext) => Promise<Response>

const buildGateway = (env: object): HandleRequest => {
  const settings = settingsSchema.parse(env)
  const { VERSION, CACHE, API_KEYS, PUBLIC_RPC_URLS, LOCAL_RPC_URLS, CLIENT_ADDRESS_HEADER } = settings
  const gateway: Gateway = createGateway({
    workers: connectWorkers(env),
    sharedWorkers: connectSharedWorkers(env),
    version: VERSION,
    rateLimits: connectRateLimits(env, API_KEYS),
    cache: CACHE === 'memory' ? createEdgeCache(Date.now) : undefined,
    findAsset: connectAssets(env),
    publicRpcUrls: PUBLIC_RPC_URLS,
    localChains: connectLocalChains(LOCAL_RPC_URLS),
    log: console.log,
    logShare: settings.REQUEST_LOG_SHARE,
    trustedAddressHeader: CLIENT_ADDRESS_HEADER || undefined,
  })
  if (CACHE === 'platform') return (request, context) => respondOnPlatform(gateway, request, context)
  return (request, context) => gateway(request, { waitUntil: (work) => context.waitUntil(work) })
}

const gateways = new WeakMap<object, HandleRequest>()

export default {
  fetch(request: Request, env: object, context: PlatformContext): Promise<Response> {
    const gateway = gateways.get(env) ?? buildGateway(env)
    gateways.set(env, gateway)
    return gateway(request, context)
  },
}
