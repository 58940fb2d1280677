// Writes docs/endpoints.md and docs/openapi.json from the definitions.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderEndpointDocs } from './src/http/endpointDocs'
import { renderOpenApi } from './src/http/openApi'

const docs = join(import.meta.dirname, '../docs')
writeFileSync(join(docs, 'endpoints.md'), renderEndpointDocs())
writeFileSync(join(docs, 'openapi.json'), renderOpenApi())
