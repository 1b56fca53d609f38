import { type RouteName, routes } from '#shared/api/routes.ts'
import { exampleBodies, exampleParameters, exampleParametersOf } from './examples.ts'

type Operation = { parameters?: unknown[]; requestBody?: unknown }
type Parameter = { name: string; required?: boolean; example?: unknown; schema?: { example?: unknown } }
type Body = { content: Record<string, object> }

const routeNames = new Map(
  Object.entries(routes).map(([name, { method, path }]) => [`${method} ${path}`, name as RouteName]),
)

/** Adds the examples of a route to its operation: its body, and its required parameters. */
export const addExamples = <T extends Operation>(method: string, path: string, operation: T): T => {
  const name = routeNames.get(`${method} ${path}`)
  const own = name && exampleParametersOf[name]
  const parameters = (operation.parameters as Parameter[] | undefined)?.map((parameter) => {
    const isKnown = parameter.example !== undefined || parameter.schema?.example !== undefined
    const example = own?.[parameter.name] ?? (isKnown ? undefined : exampleParameters[parameter.name])
    return parameter.required && example !== undefined ? { ...parameter, example } : parameter
  })
  const example = name && exampleBodies[name]
  const body = operation.requestBody as Body | undefined
  return {
    ...operation,
    ...(parameters ? { parameters } : {}),
    ...(body && example !== undefined ? { requestBody: { ...body, content: withExample(body.content, example) } } : {}),
  }
}

const withExample = (content: Body['content'], example: unknown): Body['content'] =>
  Object.fromEntries(Object.entries(content).map(([type, media]) => [type, { ...media, example }]))
