// Runs the dashboards of the manual, each with a mongoose of its own, and prints the result of each as a line of JSON.
// Arguments: the page of the manual, the connection string with the database, the date that `today` and `months` get.

const fs = require("fs");

const [page, uri, from] = process.argv.slice(2);
const found = [...fs.readFileSync(page, "utf8").matchAll(/```js\n([^]*?)```/g)].map((block) => block[1]);
const blocks = found.filter((block) => block.includes('require("mongoose")'));
const names = ["today", "months", "best", "products", "stock"];

async function main() {
    if (blocks.length !== names.length) throw new Error(`${blocks.length} blocks of JavaScript`);
    for (const [at, name] of names.entries()) {
        const mongoose = new (require("mongoose").Mongoose)();
        mongoose.set("autoIndex", false);
        await mongoose.connect(uri);
        const program = new Function("require", `${blocks[at]}\nreturn ${name};`);
        const dashboard = program((module) => (module === "mongoose" ? mongoose : require(module)));
        console.log(JSON.stringify(await dashboard(new Date(Number(from)))));
        await mongoose.disconnect();
    }
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
