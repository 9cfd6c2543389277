import { render } from "preact";
import "./style/tokens.css";
import "./style/base.css";
import "./style/tables.css";
import { SessionProvider } from "./api/session.tsx";
import { App } from "./app.tsx";

const place = document.querySelector("#page");
if (place === null) throw new Error("The document has no place for the page.");

render(
  <SessionProvider>
    <App />
  </SessionProvider>,
  place,
);
