export const LoginPage = () => <p>LoginPage</p>
