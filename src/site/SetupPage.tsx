export const SetupPage = () => <p>SetupPage</p>
