import { BrowserRouter, Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { PUBLIC_PAGES } from '~/domain/access/permissions'
import { ConfiguredMaps } from '~/src/features/places/ConfiguredMaps'
import { screenPaths } from '~/src/store/screenPaths'
import { useRegisteredRouter } from '~/src/ui/navigation/router'
import { PlatformHomeArea } from '~/src/widgets/places/PlatformHomeArea'
import { ROUTES } from './routes'
import { FreshSignInQuestion } from './FreshSignInQuestion'
import { GuardedScreen } from './GuardedScreen'

const PUBLIC_ROUTES = PUBLIC_PAGES.filter((route) => !ROUTES.includes(route))

const RouterRegistration = () => {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useRegisteredRouter(navigate, pathname)
  return null
}

/**
 * Renders every non-public route with the full router; unknown routes redirect to the home page.
 */
export const AppRoutes = () => (
  // Without transitions, a loading page shows its skeleton, and a field bound to the URL keeps up
  // with typing.
  <BrowserRouter useTransitions={false}>
    <RouterRegistration />
    <ConfiguredMaps>
      <PlatformHomeArea>
        <Routes>
          {ROUTES.map((route) => (
            <Route key={route} path={route} element={<GuardedScreen route={route} />} />
          ))}
          {/* App renders the public pages without this router, which is about to unmount. */}
          {PUBLIC_ROUTES.map((route) => (
            <Route key={route} path={route} element={null} />
          ))}
          <Route path="*" element={<Navigate to={screenPaths.home} replace />} />
        </Routes>
      </PlatformHomeArea>
    </ConfiguredMaps>
    <FreshSignInQuestion />
  </BrowserRouter>
)
