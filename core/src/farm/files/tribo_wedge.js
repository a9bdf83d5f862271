// Bakes a Tribo wedge, a scene a task, and makes its contact sheet. A job type of Flamenco 3; it goes into the
// Manager's folder scripts. The Manager's variable {tribo} is the program on the workers.
const JOB_TYPE = {
    label: "Tribo Wedge",
    description: "Bake the scenes of a Tribo wedge, one a task, and make its contact sheet",
    settings: [
        { key: "folder", type: "string", subtype: "dir_path", required: true, description: "Folder of the wedge" },
        { key: "tasks", type: "string", required: true, default: "0", description: "Scenes to bake, like 0-7 or 0,2-5" },
        { key: "threads", type: "int32", default: 1, propargs: { min: 0, max: 1024 },
          description: "Threads of a task; 0: all of a machine" },
        { key: "pictures", type: "bool", default: false, description: "Render thumbnails in the same tasks" },
    ]
};

function compileJob(job) {
    const s = job.settings;
    const bakes = [];
    for (const number of frameChunker(s.tasks, 1)) {
        const args = ["wedge", "bake", s.folder, "--task", number, "--threads", String(s.threads || 0)];
        if (s.pictures) args.push("--pictures");
        // Lines keep the task from being taken for dead: one a frame, and one a minute within a long frame.
        args.push("--progress", "flamenco");
        // Workers take tasks of the type misc without being told to.
        const bake = author.Task("bake-" + number, "misc");
        bake.addCommand(author.Command("exec", { exe: "{tribo}", args: args }));
        job.addTask(bake);
        bakes.push(bake);
    }
    const sheet = author.Task("sheet", "misc");
    sheet.addCommand(author.Command("exec", { exe: "{tribo}", args: ["wedge", "sheet", s.folder] }));
    for (const bake of bakes) sheet.addDependency(bake);
    job.addTask(sheet);
}
