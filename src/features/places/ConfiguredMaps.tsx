import { type ReactNode, useEffect, useState } from 'react'
import { useServices } from '~/src/store/hooks'
import { parseBasemap, MapSetupProvider } from '~/src/ui/map/mapSetup'

let cachedConfig: { maps: unknown } | null = null

/** Renders its children's maps with the base map that the deployment configures. */
export const ConfiguredMaps = ({ children }: { children: ReactNode }) => {
  const services = useServices()
  const [config, setAsked] = useState(cachedConfig)
  useEffect(() => {
    if (cachedConfig) return
    services.getMapConfig().then(
      (maps) => setAsked((cachedConfig = { maps })),
      () => services.report('the map configuration could not be read'),
    )
  }, [services])
  return (
    <MapSetupProvider setup={{ basemap: parseBasemap(config?.maps) }}>{children}</MapSetupProvider>
  )
}
